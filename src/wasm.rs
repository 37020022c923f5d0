//! The boundary to JavaScript, and the only file that names wasm_bindgen: bytes, strings and options in, text out.

#![expect(unreachable_pub, reason = "what wasm_bindgen exports is reached from JavaScript")]

use wasm_bindgen::prelude::*;

use crate::config::Error;
use crate::report::RenderOptions;
use crate::vet::{self, InputOptions};

/// One run, as JavaScript sees it.
#[wasm_bindgen]
pub struct Vet(vet::Vet);

#[wasm_bindgen]
impl Vet {
    /// A run with its options; throws `{kind, place, hint}` for a user's mistake.
    #[wasm_bindgen(constructor)]
    pub fn new(options: JsValue) -> Result<Vet, JsValue> {
        vet::Vet::new(read(options)?).map(Vet).map_err(thrown)
    }

    /// Opens an input.
    pub fn open(&mut self, name: &str, options: JsValue) -> Result<(), JsValue> {
        let options: InputOptions = read(options)?;
        self.0.open(name, options);
        Ok(())
    }

    /// Takes the next bytes of the open input; false when the rest need not be sent.
    pub fn write(&mut self, bytes: &[u8]) -> bool {
        self.0.write(bytes)
    }

    /// Ends the open input; of a part it tells where its first document begins and where the first behind it does.
    pub fn close(&mut self) -> Option<Box<[f64]>> {
        let (start, end) = self.0.close()?;
        Some(Box::new([start as f64, end as f64]))
    }

    /// Says that there is nothing of an input: `trap`, `unrepeatable`, or `refused` with what the server said.
    pub fn lose(&mut self, name: &str, reason: &str, detail: Option<String>) {
        self.0.lose(name, reason, &detail.unwrap_or_default());
    }

    /// Everything learned so far, mergeable elsewhere.
    pub fn partial(&self) -> Vec<u8> {
        self.0.partial()
    }

    /// Everything learned so far, to be kept.
    pub fn save(&self) -> Vec<u8> {
        self.0.save()
    }

    /// Adds what was learned elsewhere.
    pub fn merge(&mut self, bytes: &[u8]) -> Result<(), JsValue> {
        self.0.merge(bytes).map_err(thrown)
    }

    /// Ends the first pass and names the inputs to read again.
    pub fn questions(&mut self) -> Vec<String> {
        self.0.questions()
    }

    /// Draws the conclusions; the report as JSON text.
    pub fn finish(&mut self) -> String {
        self.0.finish()
    }

    /// The finished report in a format.
    pub fn render(&self, format: &str, options: JsValue) -> Result<String, JsValue> {
        let options: RenderOptions = read(options)?;
        self.0.render(format, options).map_err(thrown)
    }

    /// The profiles in a format, text for so many columns.
    pub fn profile(&self, format: &str, width: Option<u32>) -> Result<String, JsValue> {
        self.0.profile(format, width.unwrap_or(80) as usize).map_err(thrown)
    }

    /// The schema in a format.
    pub fn schema(&self, format: &str) -> Result<String, JsValue> {
        self.0.schema(format).map_err(thrown)
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

fn read<T: serde::de::DeserializeOwned + Default>(options: JsValue) -> Result<T, JsValue> {
    if options.is_undefined() || options.is_null() {
        return Ok(T::default());
    }
    serde_wasm_bindgen::from_value(options).map_err(|error| {
        thrown(Error { kind: "option", file: None, place: None, message: error.to_string(), hint: None })
    })
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
