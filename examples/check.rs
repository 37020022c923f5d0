//! The core without a host: reads the named files, or the files below the named folders, and prints the report as
//! JSON. Tests compare it with what the other hosts print; `--text` prints for people, `--advice` the decisions.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example may print")]

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use mongovet::{InputOptions, Options, RenderOptions, Vet};

fn main() -> ExitCode {
    let mut format = "json";
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--text" => format = "text",
            "--advice" => format = "advice",
            path => walk(Path::new(path), Path::new(path), &mut files),
        }
    }
    files.sort();
    match run(&files, format) {
        Ok(report) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run(files: &[(String, PathBuf)], format: &str) -> Result<String, Box<dyn std::error::Error>> {
    let config = files.iter().find(|(name, _)| name == "mongovet.json").map(|(_, path)| fs::read_to_string(path));
    let mut vet = Vet::new(Options { config: config.transpose()?, ..Options::default() })?;
    for (name, path) in files {
        read(&mut vet, name, path)?;
    }
    let again = vet.questions();
    for (name, path) in files.iter().filter(|(name, _)| again.contains(name)) {
        read(&mut vet, name, path)?;
    }
    let json = vet.finish();
    if format == "json" {
        return Ok(json);
    }
    Ok(vet.render(format, RenderOptions { show_info: true, ..RenderOptions::default() })?)
}

fn read(vet: &mut Vet, name: &str, path: &Path) -> std::io::Result<()> {
    vet.open(name, InputOptions::default());
    let mut file = fs::File::open(path)?;
    let mut block = vec![0; 1 << 18];
    loop {
        let count = file.read(&mut block)?;
        if count == 0 || !vet.write(block.get(..count).unwrap_or_default()) {
            break;
        }
    }
    vet.close();
    Ok(())
}

/// Names are relative to the folder that was named.
fn walk(root: &Path, path: &Path, files: &mut Vec<(String, PathBuf)>) {
    if path.is_dir() {
        let Ok(entries) = fs::read_dir(path) else { return };
        for entry in entries.flatten() {
            walk(root, &entry.path(), files);
        }
        return;
    }
    let name = match path.strip_prefix(root) {
        Ok(relative) if !relative.as_os_str().is_empty() => relative,
        _ => Path::new(path.file_name().unwrap_or_default()),
    };
    files.push((name.to_string_lossy().replace('\\', "/"), path.to_owned()));
}
