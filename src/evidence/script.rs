//! Scripts: mongosh files, JavaScript and TypeScript of applications.

pub mod scanner;
