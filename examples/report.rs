//! Prints the report on some files from the native core: the yardstick for the WebAssembly's bytes and speed.
//!
//! Arguments: the options as JSON, what to print (`report`, `profile`, `initial` or `fix-script`), then name and path of each input, in turn.

use std::error::Error;
use std::fs::File;
use std::io::{Read, Write};

use mongovet::Vet;

const BLOCK: usize = 1 << 18;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let options = serde_json::from_str(&arguments.next().ok_or("no options")?)?;
    let wanted = arguments.next().ok_or("no word on what to print")?;
    let rest: Vec<String> = arguments.collect();
    let inputs: Vec<(&String, &String)> =
        rest.chunks_exact(2).map(|pair| pair.first().zip(pair.last())).collect::<Option<_>>().ok_or("no path")?;

    let mut vet = Vet::new(options)?;
    for &(name, path) in &inputs {
        feed(&mut vet, name, path)?;
    }
    let asked = vet.questions();
    for &(name, path) in &inputs {
        if asked.contains(name) {
            feed(&mut vet, name, path)?;
        }
    }
    let report = vet.finish();
    let text = match wanted.as_str() {
        "profile" => vet.profile("json", 80)?,
        "initial" => vet.initial()?,
        "fix-script" => vet.fix_script()?,
        _ => report,
    };
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn feed(vet: &mut Vet, name: &str, path: &str) -> Result<(), Box<dyn Error>> {
    let mut file = File::open(path)?;
    let mut block = vec![0; BLOCK];
    vet.open(name, mongovet::InputOptions::default());
    loop {
        let count = file.read(&mut block)?;
        let Some(bytes) = block.get(..count).filter(|bytes| !bytes.is_empty()) else { break };
        if !vet.write(bytes) {
            break;
        }
    }
    vet.close();
    Ok(())
}
