//! The boundary to JavaScript, and the only file that names wasm_bindgen: bytes, strings and options in, text out.

#![expect(unreachable_pub, reason = "what wasm_bindgen exports is reached from JavaScript")]

use core::arch::wasm32::memory_size;
use std::hint::black_box;

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use crate::config::Error;
use crate::locale::Lang;
use crate::locale::mistake::Saying;
use crate::report::RenderOptions;
use crate::vet::{self, InputOptions};

/// One run, as JavaScript sees it.
#[wasm_bindgen]
pub struct Vet {
    vet: vet::Vet,
    room: Room,
}

#[wasm_bindgen]
impl Vet {
    /// A run with its options; throws `{kind, place, hint}` for a user's mistake.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Vet, JsValue> {
        let vet = vet::Vet::new(read(options)?).map_err(thrown)?;
        Ok(Vet { vet, room: Room::default() })
    }

    /// Opens an input.
    pub fn open(&mut self, name: &str, options: JsValue) -> Result<(), JsValue> {
        let options: InputOptions = read(options)?;
        self.room.make();
        self.vet.open(name, options);
        Ok(())
    }

    /// Takes the next bytes of the open input; false when the rest need not be sent.
    pub fn write(&mut self, bytes: &[u8]) -> bool {
        self.room.make();
        self.vet.write(bytes)
    }

    /// Ends the open input; of a part it tells where its first document begins and where the first behind it does.
    pub fn close(&mut self) -> Option<Box<[f64]>> {
        self.room.make();
        let (start, end) = self.vet.close()?;
        Some(Box::new([start as f64, end as f64]))
    }

    /// Says that there is nothing of an input: `trap`, `unrepeatable`, or `refused` with what the server said.
    pub fn lose(&mut self, name: &str, reason: &str, detail: Option<String>) {
        self.vet.lose(name, reason, &detail.unwrap_or_default());
    }

    /// Everything learned so far, mergeable elsewhere.
    pub fn partial(&mut self) -> Vec<u8> {
        self.room.make();
        self.vet.partial()
    }

    /// What was learned, as a line of text that any host reads.
    pub fn bundle(&mut self) -> String {
        self.room.make();
        self.vet.bundle()
    }

    /// Everything learned so far, to be kept.
    pub fn save(&mut self) -> Vec<u8> {
        self.room.make();
        self.vet.save()
    }

    /// Adds what was learned elsewhere.
    pub fn merge(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.room.make();
        self.vet.merge(bytes).map_err(thrown)
    }

    /// The questions of the second pass, for other instances to take part in it.
    pub fn asked(&self) -> Vec<u8> {
        self.vet.asked()
    }

    /// Takes part in the second pass of another instance.
    pub fn ask(&mut self, asked: &[u8]) -> Result<(), JsValue> {
        self.vet.ask(asked).map_err(thrown)
    }

    /// What to ask a live server for behind its samples, as a JSON list of commands.
    pub fn wanted(&mut self, limits: JsValue) -> Result<String, JsValue> {
        let limits = read(limits)?;
        self.room.make();
        Ok(self.vet.wanted(limits))
    }

    /// Ends the first pass and names the inputs to read again.
    pub fn questions(&mut self) -> Vec<String> {
        self.room.make();
        self.vet.questions()
    }

    /// Draws the conclusions; the report as JSON text.
    pub fn finish(&mut self) -> String {
        self.room.make();
        self.vet.finish()
    }

    /// The finished report in a format.
    pub fn render(&self, format: &str, options: JsValue) -> Result<String, JsValue> {
        let options: RenderOptions = read(options)?;
        self.vet.render(format, options).map_err(thrown)
    }

    /// The recommendations as `text` or `markdown`.
    pub fn advice(&self, format: &str, options: JsValue) -> Result<String, JsValue> {
        let options: RenderOptions = read(options)?;
        self.vet.advice(format, options).map_err(thrown)
    }

    /// The remedies of all findings as one script.
    #[wasm_bindgen(js_name = fixScript)]
    pub fn fix_script(&self) -> Result<String, JsValue> {
        self.vet.fix_script().map_err(thrown)
    }

    /// The profiles in a format, text for so many columns.
    pub fn profile(&self, format: &str, width: Option<u32>) -> Result<String, JsValue> {
        self.vet.profile(format, width.unwrap_or(80) as usize).map_err(thrown)
    }

    /// A configuration to start from, with what was inferred.
    pub fn initial(&self) -> Result<String, JsValue> {
        self.vet.initial().map_err(thrown)
    }

    /// The schema in a format.
    pub fn schema(&self, format: &str) -> Result<String, JsValue> {
        self.vet.schema(format).map_err(thrown)
    }
}

/// Asks for memory ahead: engines take long to grow it, and the allocator asks for 64 KiB at a time.
#[derive(Default)]
struct Room {
    /// Pages that there were when memory was last asked for.
    pages: usize,
}

/// Bytes of a page of WebAssembly's memory.
const PAGE: usize = 1 << 16;
/// Pages that come without us before we ask for more.
const FEW_PAGES: usize = 16;
/// Pages that are asked for at least, 16 MiB: a script of 1 MB needs as many to be parsed.
const AHEAD: usize = 256;

impl Room {
    /// Asks for half of what there is where memory has grown; it takes none of the machine's until it is written to.
    fn make(&mut self) {
        let pages = memory_size::<0>();
        if pages < self.pages + FEW_PAGES {
            return;
        }
        let mut room: Vec<u8> = Vec::new();
        // Where there is no more, the allocator will say so when it is needed. What is given back stays with it.
        if room.try_reserve_exact((pages / 2).max(AHEAD) * PAGE).is_ok() {
            black_box(&mut room);
        }
        self.pages = memory_size::<0>();
    }
}

/// The version of the core.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The table of rules as JSON.
#[wasm_bindgen]
pub fn rules() -> String {
    crate::rules::table_json()
}

/// Breaks the instance, so that tests can see the shim survive it.
#[cfg(debug_assertions)]
#[wasm_bindgen]
pub fn trap() {
    core::arch::wasm32::unreachable()
}

#[wasm_bindgen(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// Options from JavaScript. What is absent has its default; a name that is none of them is a mistake, which serde
/// would not see: it asks the object for the names that it knows.
fn read<T: Serialize + DeserializeOwned + Default>(options: JsValue) -> Result<T, JsValue> {
    if options.is_undefined() || options.is_null() {
        return Ok(T::default());
    }
    let known = serde_json::to_value(T::default()).unwrap_or_default();
    let known: Vec<&str> = known.as_object().into_iter().flat_map(|known| known.keys().map(String::as_str)).collect();
    // Not by `instanceof`: objects of a shell come from another realm.
    if options.is_object() {
        let given = options.unchecked_ref::<js_sys::Object>();
        for name in js_sys::Object::keys(given).iter().filter_map(|name| name.as_string()) {
            if !known.contains(&name.as_str()) {
                let tag = js_sys::Reflect::get(given, &"lang".into()).ok().and_then(|tag| tag.as_string());
                let lang = tag.and_then(|tag| Lang::from_tag(&tag)).unwrap_or_default();
                return Err(thrown(Error::unknown_option(&name, &known).told(lang)));
            }
        }
    }
    serde_wasm_bindgen::from_value(options)
        .map_err(|error| thrown(Error::new("option", Saying::text(error.to_string()), None)))
}

/// A JavaScript error that carries kind, file, line, column and hint.
fn thrown(error: Error) -> JsValue {
    let out = js_sys::Error::new(&error.to_string());
    let set = |name: &str, value: JsValue| {
        // Setting a property of a fresh error cannot fail.
        let _ = js_sys::Reflect::set(&out, &name.into(), &value);
    };
    set("kind", error.kind.into());
    set("file", error.file.into());
    set("line", error.place.map(|place| place.line).into());
    set("column", error.place.map(|place| place.column).into());
    set("hint", error.hint.into());
    out.into()
}
