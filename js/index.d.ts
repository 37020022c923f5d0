/** mongovet vets MongoDB document models: documents, indexes and validators in, findings and decisions out. */

/** One piece of evidence: a dump, an export, a script, the output of a command. */
export interface Input {
  /** Name with `/`, such as `shop/orders.bson`; it may tell the collection. */
  name: string;
  /** Text, bytes, or a stream of these. What streams is read once, so answers that need a second look come from a sample. */
  data: string | Uint8Array | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;
  options?: {
    /** The collection of the documents, such as `shop.orders`. */
    collection?: string;
  };
}

export interface Options {
  /** What `mongovet.json` holds, as an object or as the text of the file. */
  config?: string | object;
  /** Rules to run: ids, groups or globs; all when absent. */
  select?: string[];
  /** Rules to leave out; wins over `select`. */
  ignore?: string[];
  /** The collection of all documents that do not tell it themselves. */
  collection?: string;
  /** The documents are all there are, not a sample. */
  complete?: boolean;
  /** Values of the documents may appear in the report. */
  showValues?: boolean;
  /** Version of the server, such as `7.0`. */
  serverVersion?: string;
  /** The time to reckon from, in ISO 8601; else the newest time that the evidence tells. */
  now?: string;
  /** Today's date, `2026-11-30`: decides which ignores have expired, and nothing else. */
  today?: string;
  /** Language of what is told. */
  lang?: 'en' | 'es';
}

export type Severity = 'error' | 'warning' | 'info';
export type Certainty = 'certain' | 'measured' | 'inferred';

/** A place in a text, counted from 1. */
export interface Position {
  line: number;
  column: number;
}

export interface Remedy {
  safety: 'safe' | 'review' | 'manual';
  kind: 'mongosh' | 'validator' | 'pipeline' | 'text';
  script: string;
}

export interface Finding {
  rule: string;
  severity: Severity;
  certainty: Certainty;
  collection: string | null;
  /** Dot notation, as in queries. */
  path: string | null;
  index: string | null;
  /** Stage of the pipeline, counted from 0. */
  stage: number | null;
  location: { file: string; start: Position | null; end: Position | null } | null;
  /** What is wrong. */
  message: string;
  /** Why it hurts, with the measured numbers. */
  why: string;
  /** What to do. */
  help: string;
  /** The numbers behind the words. */
  evidence: Record<string, unknown>;
  remedy: Remedy | null;
  docs: string;
  /** Stays the same from run to run. */
  fingerprint: string;
}

export interface Problem {
  kind: string;
  message: string;
  /** Number of the document, counted from 1. */
  document: number | null;
  /** Offset in bytes, of the unpacked data. */
  offset: number | null;
  line: number | null;
  column: number | null;
}

export interface ReadInput {
  name: string;
  kind: string;
  collection: string | null;
  documents: number;
  bytes: number;
  complete: boolean;
  problems: Problem[];
}

export interface Recommendation {
  kind: string;
  subject: string;
  collection: string | null;
  today: string;
  decision: string;
  certainty: Certainty;
  why: string;
  criteria: { name: string; answer: string; favours: string | null; weight: number; evidence: Record<string, unknown> }[];
  alternatives: { decision: string; out?: string; figures: Record<string, unknown> }[];
  asks: string[];
  scripts: { name: string; safety: Remedy['safety']; script: string }[];
}

export interface Report {
  schema: 1;
  version: string;
  serverVersion: string;
  serverVersionFrom: string;
  now: string | null;
  inputs: ReadInput[];
  findings: Finding[];
  recommendations: Recommendation[];
  missing: { evidence: string; wouldAnswer: string[] }[];
  summary: { error: number; warning: number; info: number; problems: number };
}

export interface Rule {
  id: string;
  severity: Severity;
  summary?: string;
  [column: string]: unknown;
}

export interface RenderOptions {
  /** Language of the headings; findings have theirs already. */
  lang?: string;
  color?: boolean;
  /** Columns of the terminal. */
  width?: number;
  showInfo?: boolean;
  maxFindings?: number;
  statistics?: boolean;
  quiet?: boolean;
}

/** A user's mistake, such as an unknown rule or a fault in the configuration. */
export interface Mistake extends Error {
  kind: string;
  place?: string;
  hint?: string;
}

/** Reads all inputs, runs all rules. The order of the inputs does not matter. */
export function check(inputs: Input[], options?: Options): Promise<Report>;
/** The same for inputs that lie in memory. */
export function checkSync(inputs: Input[], options?: Options): Report;
/** What the documents hold: fields, types, presence, sizes, lengths. */
export function profile(inputs: Input[], options?: Options): Promise<object>;
export function profileSync(inputs: Input[], options?: Options): object;
/** Answers to design questions, with the numbers. */
export function advise(inputs: Input[], options?: Options): Promise<Recommendation[]>;
export function adviseSync(inputs: Input[], options?: Options): Recommendation[];
/** Validators that follow from the documents. */
export function schema(inputs: Input[], options?: Options): Promise<object>;
export function schemaSync(inputs: Input[], options?: Options): object;
/** The page of one rule, as Markdown. */
export function explain(rule: string, language?: 'en' | 'es'): string;
/** The table of all rules. */
export function rules(): Rule[];
export function version(): string;
