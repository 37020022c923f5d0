//! A look at a script before the parser: shell directives, prompts and pasted output become blanks (offsets stay),
//! statements are found, and what would overflow the parser's stack is refused.

/// The deepest nesting that is parsed.
pub const DEEPEST: usize = 250;
/// The longest chain of operators, calls or `else if`s that is parsed.
pub const LONGEST_CHAIN: u32 = 1_000;
/// The largest file that is parsed, in bytes.
pub const LARGEST: usize = 8 * 1024 * 1024;

/// Why a script is not parsed at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// Byte offset.
    pub offset: usize,
    /// The reason, in English.
    pub reason: &'static str,
}

/// A shell directive that says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// Byte offset.
    pub offset: usize,
    /// The database of `use shop`.
    pub database: String,
}

/// A script, ready to be parsed.
#[derive(Debug, Clone)]
pub struct Scanned {
    /// The text with blanks for what is no JavaScript; as long as the original.
    pub text: String,
    /// The `use` directives, in order.
    pub directives: Vec<Directive>,
    /// Where top-level statements end, in order; the last one is the length of the text.
    pub ends: Vec<usize>,
}

/// Looks through a script once, or twice where it is a pasted shell session.
pub fn scan(text: &str) -> Result<Scanned, Refusal> {
    if text.len() > LARGEST {
        return Err(Refusal { offset: LARGEST, reason: "the script is larger than 8 MiB" });
    }
    let mut first = Scanner::new(text, false);
    first.run()?;
    if !first.session {
        return Ok(first.finish());
    }
    // With prompts in it, only what follows a prompt was typed; the rest is what the shell printed.
    let mut second = Scanner::new(text, true);
    second.run()?;
    Ok(second.finish())
}

/// What the last token was, as far as the next one depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Nothing yet, an operator, an opening bracket, a keyword before an operand.
    Open,
    /// Something that can end an expression.
    Value,
    /// `}`.
    Brace,
    /// `else`.
    Else,
}

#[derive(Clone, Copy, Default)]
struct Frame {
    open: u8,
    operators: u32,
    elses: u32,
}

struct Scanner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    /// Ranges to blank.
    blanks: Vec<(usize, usize)>,
    directives: Vec<Directive>,
    ends: Vec<usize>,
    frames: Vec<Frame>,
    last: Last,
    /// A line break since the last token.
    broken: bool,
    /// Whether prompts were seen.
    session: bool,
    /// Whether the text is known to be a session, so that other lines are output.
    as_session: bool,
}

impl<'t> Scanner<'t> {
    fn new(text: &'t str, as_session: bool) -> Self {
        Scanner {
            text,
            bytes: text.as_bytes(),
            blanks: Vec::new(),
            directives: Vec::new(),
            ends: Vec::new(),
            frames: vec![Frame::default()],
            last: Last::Open,
            broken: true,
            session: false,
            as_session,
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    fn line(&self, at: usize) -> &'t str {
        self.rest(at).split(['\n', '\r']).next().unwrap_or_default()
    }

    fn run(&mut self) -> Result<(), Refusal> {
        let mut at = 0;
        let mut line_start = true;
        while at < self.bytes.len() {
            if line_start {
                line_start = false;
                if let Some(next) = self.start_of_line(at) {
                    at = next;
                    line_start = self.byte(at.saturating_sub(1)) == b'\n' && at > 0;
                    continue;
                }
            }
            match self.byte(at) {
                b'\n' => {
                    self.broken = true;
                    line_start = true;
                    at += 1;
                }
                b' ' | b'\t' | b'\r' => at += 1,
                b'/' if self.byte(at + 1) == b'/' => at += self.line(at).len(),
                b'/' if self.byte(at + 1) == b'*' => {
                    let end = self.rest(at + 2).find("*/").map_or(self.bytes.len(), |end| at + 2 + end + 2);
                    self.broken |= self.text.get(at..end).is_some_and(|comment| comment.contains('\n'));
                    at = end;
                }
                b'#' if at == 0 && self.byte(1) == b'!' => at += self.line(at).len(),
                quote @ (b'"' | b'\'') => {
                    self.operand(at);
                    at = self.string(at, quote);
                }
                b'`' => {
                    // A tagged or bare template; its parts in `${}` are code, found by the frame of the template.
                    if self.last == Last::Open {
                        self.operand(at);
                    } else {
                        self.operator(at)?;
                    }
                    at = self.template(at + 1, at)?;
                }
                b'/' if self.last == Last::Open => {
                    self.operand(at);
                    at = self.regex(at);
                }
                open @ (b'(' | b'[' | b'{') => {
                    if open != b'{' && self.last != Last::Open {
                        self.operator(at)?;
                    } else if self.last == Last::Brace || self.last == Last::Value {
                        self.fresh_statement(at);
                    }
                    self.push(open, at)?;
                    at += 1;
                }
                close @ (b')' | b']' | b'}') => {
                    if close == b'}' && self.frames.last().is_some_and(|frame| frame.open == b'`') {
                        self.frames.pop();
                        self.last = Last::Value;
                        at = self.template(at + 1, at)?;
                        continue;
                    }
                    if self.frames.len() > 1 {
                        self.frames.pop();
                    }
                    self.last = if close == b'}' { Last::Brace } else { Last::Value };
                    self.broken = false;
                    at += 1;
                }
                b';' => {
                    self.reset();
                    self.last = Last::Open;
                    at += 1;
                    if self.frames.len() == 1 {
                        self.ends.push(at);
                    }
                }
                b',' => {
                    if self.frames.len() > 1 {
                        self.reset();
                    } else {
                        self.operator(at)?;
                    }
                    self.last = Last::Open;
                    at += 1;
                }
                b'+' | b'-' if self.byte(at + 1) == self.byte(at) => {
                    // `++` and `--` leave a value a value.
                    self.operator(at)?;
                    at += 2;
                    if self.last != Last::Value {
                        self.last = Last::Open;
                    }
                }
                c if c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$' | b'@' | b'#' | b'\\') || c >= 0x80 => {
                    at = self.word(at)?;
                }
                b'.' if self.byte(at + 1).is_ascii_digit() && self.last == Last::Open => at = self.word(at)?,
                _ => {
                    self.operator(at)?;
                    self.last = Last::Open;
                    self.broken = false;
                    at += 1;
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, open: u8, at: usize) -> Result<(), Refusal> {
        if self.frames.len() > DEEPEST {
            return Err(Refusal { offset: at, reason: "the script nests deeper than 250 levels" });
        }
        self.frames.push(Frame { open, ..Frame::default() });
        self.last = Last::Open;
        self.broken = false;
        Ok(())
    }

    fn reset(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.operators = 0;
            frame.elses = 0;
        }
        self.broken = false;
    }

    fn operator(&mut self, at: usize) -> Result<(), Refusal> {
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        frame.operators += 1;
        if frame.operators > LONGEST_CHAIN {
            return Err(Refusal { offset: at, reason: "the script chains more than 1,000 operators or calls" });
        }
        Ok(())
    }

    /// An operand that begins where a statement could: the end of the one before it, by JavaScript's own rule.
    fn operand(&mut self, at: usize) {
        if (self.broken && self.last == Last::Value) || self.last == Last::Brace {
            self.fresh_statement(at);
        }
        self.last = Last::Value;
        self.broken = false;
    }

    fn fresh_statement(&mut self, at: usize) {
        if !self.broken && self.last == Last::Value {
            return;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.operators = 0;
        }
        if self.frames.len() == 1 && self.ends.last() != Some(&at) && at > 0 {
            self.ends.push(at);
        }
    }

    fn string(&self, start: usize, quote: u8) -> usize {
        let mut at = start + 1;
        while at < self.bytes.len() {
            match self.byte(at) {
                b'\\' => at += 2,
                // A string that is not closed ends with its line, so that the rest of the file can still be read.
                b'\n' => return at,
                c if c == quote => return at + 1,
                _ => at += 1,
            }
        }
        self.bytes.len()
    }

    /// The text of a template from `at`; stops behind its end or inside `${`.
    fn template(&mut self, mut at: usize, start: usize) -> Result<usize, Refusal> {
        while at < self.bytes.len() {
            match self.byte(at) {
                b'\\' => at += 2,
                b'`' => {
                    self.last = Last::Value;
                    self.broken = false;
                    return Ok(at + 1);
                }
                b'$' if self.byte(at + 1) == b'{' => {
                    self.push(b'`', start)?;
                    return Ok(at + 2);
                }
                _ => at += 1,
            }
        }
        Ok(self.bytes.len())
    }

    fn regex(&self, start: usize) -> usize {
        let mut at = start + 1;
        let mut class = false;
        while at < self.bytes.len() {
            match self.byte(at) {
                b'\\' => at += 2,
                b'\n' => return at,
                b'[' => {
                    class = true;
                    at += 1;
                }
                b']' => {
                    class = false;
                    at += 1;
                }
                b'/' if !class => {
                    at += 1;
                    while self.byte(at).is_ascii_alphabetic() {
                        at += 1;
                    }
                    return at;
                }
                _ => at += 1,
            }
        }
        self.bytes.len()
    }

    fn word(&mut self, start: usize) -> Result<usize, Refusal> {
        let mut at = start;
        let number = self.byte(at).is_ascii_digit() || self.byte(at) == b'.';
        loop {
            let c = self.byte(at);
            let exponent_sign = number && matches!(c, b'+' | b'-') && matches!(self.byte(at - 1), b'e' | b'E');
            let part = c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$' | b'@' | b'#' | b'\\') || c >= 0x80;
            if !(part || (number && c == b'.') || (exponent_sign && at > start)) {
                break;
            }
            at += 1;
        }
        let member = start > 0 && self.byte(start - 1) == b'.' && self.byte(start.saturating_sub(2)) != b'.';
        let word = self.text.get(start..at).unwrap_or_default();
        if member {
            self.last = Last::Value;
            self.broken = false;
            return Ok(at);
        }
        match word {
            "else" => {
                self.last = Last::Else;
                self.broken = false;
            }
            "if" => {
                let chained = self.last == Last::Else;
                if !chained {
                    self.operand(start);
                }
                let Some(frame) = self.frames.last_mut() else { return Ok(at) };
                frame.elses = if chained { frame.elses + 1 } else { 0 };
                if frame.elses > LONGEST_CHAIN {
                    return Err(Refusal { offset: start, reason: "the script chains more than 1,000 branches" });
                }
                self.last = Last::Value;
            }
            // What follows them belongs to the statement before.
            "catch" | "finally" | "while" if self.last == Last::Brace => {
                self.last = Last::Value;
                self.broken = false;
            }
            "instanceof" | "in" | "of" | "as" | "satisfies" if self.last == Last::Value && !self.broken => {
                self.operator(start)?;
                self.last = Last::Open;
            }
            "return" | "typeof" | "case" | "delete" | "void" | "throw" | "new" | "await" | "yield" | "do" => {
                self.operand(start);
                self.operator(start)?;
                self.last = Last::Open;
            }
            _ => self.operand(start),
        }
        Ok(at)
    }

    /// Directives, prompts and output at the start of a line between statements; where to go on, if there was one.
    fn start_of_line(&mut self, at: usize) -> Option<usize> {
        let line = self.line(at);
        let end = at + line.len();
        let between = self.frames.len() == 1 && matches!(self.last, Last::Open | Last::Value | Last::Brace);
        if !between {
            // The shell marks the lines of a command that goes on.
            if self.as_session && (line.starts_with("... ") || line == "...") {
                self.blanks.push((at, (at + 4).min(end)));
                return Some((at + 4).min(end));
            }
            return None;
        }
        let open_statement = self.last == Last::Open && !self.at_boundary();
        if open_statement {
            return None;
        }
        if let Some(length) = prompt(line) {
            self.session = true;
            self.statement_ends(at);
            if !self.as_session {
                return None;
            }
            self.blanks.push((at, at + length));
            return self.directive(at + length).or(Some(at + length));
        }
        if self.as_session {
            if line.starts_with("... ") || line == "..." {
                self.blanks.push((at, (at + 4).min(end)));
                return Some((at + 4).min(end));
            }
            if self.session && !line.trim().is_empty() {
                self.blanks.push((at, end));
                return Some(end);
            }
            if !self.session && !line.trim().is_empty() && is_banner(line) {
                self.blanks.push((at, end));
                return Some(end);
            }
        }
        self.directive(at)
    }

    /// Whether the last statement is over: nothing since its end but blanks.
    fn at_boundary(&self) -> bool {
        self.ends.is_empty()
            || self.last != Last::Open
            || self.broken
            || self.frames.last().is_none_or(|f| f.operators == 0)
    }

    fn statement_ends(&mut self, at: usize) {
        if self.ends.last() != Some(&at) && at > 0 {
            self.ends.push(at);
        }
        self.reset();
        self.last = Last::Open;
        self.broken = true;
    }

    /// Blanks a shell directive or a printed line; the offset behind it.
    fn directive(&mut self, at: usize) -> Option<usize> {
        let line = self.line(at);
        let words = line.trim().trim_end_matches(';').trim_end();
        let end = at + line.len();
        let mut parts = words.split_ascii_whitespace();
        let first = parts.next()?;
        let second = parts.next();
        let name = |text: &str| {
            text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'$') || b >= 0x80)
        };
        let blank = match (first, second, parts.next()) {
            ("use", Some(database), None) if name(database) => {
                self.directives.push(Directive { offset: at, database: database.to_owned() });
                true
            }
            ("show", Some(what), _) => name(what),
            ("it" | "cls" | "exit" | "quit" | "help", None, None) => true,
            _ => is_printed(words),
        };
        if !blank {
            return None;
        }
        self.statement_ends(at);
        self.blanks.push((at, end));
        Some(end)
    }

    fn finish(self) -> Scanned {
        let mut bytes = self.text.as_bytes().to_vec();
        for (start, end) in self.blanks {
            for byte in bytes.get_mut(start..end).unwrap_or_default() {
                *byte = b' ';
            }
        }
        let mut ends = self.ends;
        if ends.last() != Some(&bytes.len()) {
            ends.push(bytes.len());
        }
        let text = String::from_utf8(bytes).unwrap_or_default();
        Scanned { text, directives: self.directives, ends }
    }
}

/// What people type behind a prompt.
const COMMANDS: &[&str] = &[
    "db.", "db[", "db =", "use ", "use(", "show ", "rs.", "sh.", "it", "exit", "const ", "let ", "var ", "for ",
    "for(", "load(", "print", "//", "config.",
];

/// The length of a prompt at the start of a line: `> `, `shop> `, `rs0 [direct: primary] shop> `.
fn prompt(line: &str) -> Option<usize> {
    let at = line.find('>').filter(|at| *at <= 120)?;
    let before = line.get(..at)?;
    let allowed =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b':' | b'.' | b'[' | b']' | b' ' | b'$');
    if !before.bytes().all(allowed) || before.ends_with(' ') || before.starts_with(' ') {
        return None;
    }
    let after = line.get(at + 1..)?;
    if after.trim().is_empty() {
        // A bare `>` or `shop> ` at the end of a session; as JavaScript it would be an error.
        return Some(at + 1);
    }
    let typed = after.strip_prefix(' ')?.trim_start();
    COMMANDS.iter().any(|start| typed.starts_with(start)).then_some(at + 2)
}

/// Lines that the shell prints between commands.
fn is_printed(line: &str) -> bool {
    line.starts_with("switched to db ")
        || line.starts_with("already on db ")
        || line.starts_with("Type \"it\" for more")
        || line.starts_with("MongoServerError")
        || line.starts_with("MongoInvalidInputError")
        || line.starts_with("Uncaught")
        || (line.starts_with("... ") && line.contains(" more item"))
}

/// What the shell says before its first prompt.
fn is_banner(line: &str) -> bool {
    const STARTS: &[&str] = &[
        "Current Mongosh",
        "Connecting to",
        "Using Mongo",
        "For mongosh",
        "MongoDB shell",
        "------",
        "   The server",
        "   20",
    ];
    STARTS.iter().any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        let scanned = scan(source).unwrap();
        assert_eq!(scanned.text.len(), source.len());
        scanned.text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n")
    }

    fn statements(source: &str) -> Vec<String> {
        let scanned = scan(source).unwrap();
        let mut start = 0;
        let mut out = Vec::new();
        for end in scanned.ends {
            let part = scanned.text[start..end].trim();
            if !part.is_empty() {
                out.push(part.to_owned());
            }
            start = end;
        }
        out
    }

    #[test]
    fn directives_become_blanks() {
        let source = "use shop\nshow collections\ndb.a.find({ x: 1 })\n  .sort({ y: 1 });\nuse other;\ndb.b.find()\n";
        assert_eq!(text(source), "db.a.find({ x: 1 })\n.sort({ y: 1 });\ndb.b.find()");
        let scanned = scan(source).unwrap();
        let names: Vec<&str> = scanned.directives.iter().map(|d| d.database.as_str()).collect();
        assert_eq!(names, ["shop", "other"]);
        assert_eq!(scanned.directives[1].offset, source.find("use other").unwrap());
    }

    #[test]
    fn prompts_and_output_become_blanks() {
        let source = "shop> db.a.createIndex({ b: 1 })\nb_1\nshop> db.a.find({\n... c: 1\n... })\n[\n  { _id: 1, name: \"O'Neil\" }\n]\nType \"it\" for more\nrs0 [direct: primary] shop> use other\nswitched to db other\nother> db.b.drop()\ntrue\nother> ";
        assert_eq!(text(source), "db.a.createIndex({ b: 1 })\ndb.a.find({\nc: 1\n})\ndb.b.drop()");
        assert_eq!(scan(source).unwrap().directives[0].database, "other");
    }

    #[test]
    fn javascript_stays_as_it_is() {
        for source in [
            "const a = `shop> db.x.find()\nuse shop\n`;\nif (a > db.x) { it }\n",
            "'use strict';\nconst show = 1;\nshow\n.toString()\n",
            "const r = /[/'\"]/.test(x) ? a / b / c : \"it's\";\n// don't\n/* use x\n */",
            "import { a } from 'b';\nexport async function f() {\n  return a\n}\n",
        ] {
            assert_eq!(scan(source).unwrap().text, source, "{source}");
        }
    }

    #[test]
    fn statements_end_where_javascript_ends_them() {
        assert_eq!(
            statements(
                "a()\nb()\n  .c()\nlet d = 1 +\n 2\nif (x) { y } else { z }\nfor (;;) {}\ntry { a } catch { b }\n"
            ),
            [
                "a()",
                "b()\n  .c()",
                "let d = 1 +\n 2",
                "if (x) { y } else { z }",
                "for (;;) {}",
                "try { a } catch { b }",
            ]
        );
    }

    #[test]
    fn what_would_overflow_is_refused() {
        let deep = "[".repeat(300);
        assert_eq!(scan(&deep).unwrap_err().offset, 250);
        assert!(scan(&format!("x = {}", "a+".repeat(1100))).is_err());
        assert!(scan(&format!("x = {}", "`${".repeat(300))).is_err());
        assert!(scan(&"if (a) {} else ".repeat(1100)).is_err());
        assert!(scan(&format!("x{}", ".a()".repeat(600))).is_err());
        assert!(scan(&"!".repeat(2000)).is_err());
        assert!(scan(&"x => ".repeat(2000)).is_err());
        // Long, but flat.
        assert!(scan(&"db.a.insertOne({ a: 1, b: [1, 2] })\n".repeat(3000)).is_ok());
        assert!(scan(&format!("x = [{}]", "1, -2, a.b(c), ".repeat(5000))).is_ok());
        assert!(scan(&"if (a) { b() } else { c() }\n".repeat(3000)).is_ok());
    }

    #[test]
    fn hostile_input_is_survived() {
        for source in
            ["", "`", "`${", "/", "'\\", "}", ")))", "/*", "\\", "a\u{2028}b", "é> db.x", ">", "#!", "1e+", "."]
        {
            let _ = scan(source);
        }
    }
}
