// @ts-check
/** What the command line says to its user, each sentence once in each language. */

/** @typedef {'en' | 'es'} Language */
/** @typedef {keyof typeof ENGLISH} Key */
/**
 * A sentence that waits for its language; a text without a key, such as what the system says, stays as it is.
 * @typedef {{ key: Key, values?: Record<string, unknown> } | string} Sentence
 */

const ENGLISH = {
  about: 'mongovet vets MongoDB document models: it says what is wrong or risky, why it hurts, and what to do.',
  usage: 'Usage',
  commands: 'Commands',
  formats: 'Formats',
  examples: 'Examples',
  exitCodes: 'Exit codes: 0 nothing at or above --fail-on, 1 findings there, 2 a mistake.',
  exitCodesOfOthers: 'Exit codes: 0 done, 2 a mistake.',
  belongsTo: 'it belongs to {commands}',
  chooseConfig: 'choose one with --config',
  configAtRoot: 'mongovet.json belongs at the root of what is checked; choose one with --config',
  configDeeper: '{file} lies below the root',
  configTakes: '--config takes a file such as {file}',
  configsDiffer: 'the paths have different configurations ({files})',
  currentFolder: 'the current folder is .',
  didYouMean: 'did you mean {name}?',
  elsewhere: 'name another file with -o, or - for the terminal',
  emptyPath: 'an empty PATH names nothing',
  explainAs: 'as in: mongovet explain document/unbounded-array',
  explainTakesOne: '`explain` takes one rule',
  isThere: '{file} is there already and stays as it is',
  itHas: 'it has {names}',
  needsPath: '`{command}` needs a PATH',
  needsValue: '{option} needs a value: {option} {value}',
  noCommandNorFile: 'there is neither a command nor a file "{name}"',
  noEvidence: '{name}: nothing in it could be read as evidence',
  noFormat: '`{command}` has no format "{format}"',
  noOption: 'there is no option {option}',
  noPath: 'there is no {path}',
  noRule: 'there is no rule "{rule}"',
  notBuilt: 'not built yet: run `make build` first',
  oneProblem: '1 problem in the input, and --strict-input is given',
  oneRule: 'one rule is told by `mongovet explain RULE`',
  oneTerminal: 'only one --format can go to the terminal',
  optionElsewhere: '`{command}` knows no option --{option}',
  outputFiles: 'give the others an --output-file',
  pathIs: 'a file, a folder, or - for standard input',
  permission: 'permission denied',
  problems: '{count} problems in the input, and --strict-input is given',
  progress: 'read {read} of {total} MB',
  rulesTakesNo: '`rules` takes no "{operand}"',
  saveEnding: '--save takes a file that ends in .mvprofile, not "{file}"',
  seeHelp: 'see --help',
  seeRules: 'see `mongovet rules`',
  takesNoValue: '{option} takes no value',
  takesOneOf: '{option} takes {choices}, not "{given}"',
  takesWholeNumber: '--{option} takes a whole number, not "{given}"',
  unreadable: '{path} cannot be read',
  unwritable: '{file} cannot be written',
  written: 'wrote {file}: go through every line of it',
};

/** @type {Record<Key, string>} */
const SPANISH = {
  about: 'mongovet examina modelos de documentos de MongoDB: dice qué está mal o es un riesgo, por qué duele y qué hacer.',
  usage: 'Uso',
  commands: 'Órdenes',
  formats: 'Formatos',
  examples: 'Ejemplos',
  exitCodes: 'Códigos de salida: 0 nada desde --fail-on, 1 hallazgos desde ahí, 2 un error.',
  exitCodesOfOthers: 'Códigos de salida: 0 hecho, 2 un error.',
  belongsTo: 'es de {commands}',
  chooseConfig: 'elige una con --config',
  configAtRoot: 'mongovet.json va en la raíz de lo que se examina; elige uno con --config',
  configDeeper: '{file} está por debajo de la raíz',
  configTakes: '--config pide un fichero como {file}',
  configsDiffer: 'las rutas tienen configuraciones distintas ({files})',
  currentFolder: 'la carpeta actual es .',
  didYouMean: '¿querías decir {name}?',
  elsewhere: 'nombra otro fichero con -o, o - para la terminal',
  emptyPath: 'un PATH vacío no nombra nada',
  explainAs: 'por ejemplo: mongovet explain document/unbounded-array',
  explainTakesOne: '`explain` pide una regla',
  isThere: '{file} ya existe y se deja como está',
  itHas: 'tiene {names}',
  needsPath: '`{command}` necesita un PATH',
  needsValue: '{option} necesita un valor: {option} {value}',
  noCommandNorFile: 'no hay ni una orden ni un fichero «{name}»',
  noEvidence: '{name}: nada de su contenido se pudo leer como evidencia',
  noFormat: '`{command}` no tiene el formato «{format}»',
  noOption: 'no existe la opción {option}',
  noPath: 'no existe {path}',
  noRule: 'no existe la regla «{rule}»',
  notBuilt: 'aún no está construido: ejecuta antes `make build`',
  oneProblem: '1 problema en la entrada, y se pidió --strict-input',
  oneRule: 'una regla se explica con `mongovet explain RULE`',
  oneTerminal: 'solo un --format puede ir a la terminal',
  optionElsewhere: '`{command}` no conoce la opción --{option}',
  outputFiles: 'da a los demás un --output-file',
  pathIs: 'un fichero, una carpeta, o - para la entrada estándar',
  permission: 'permiso denegado',
  problems: '{count} problemas en la entrada, y se pidió --strict-input',
  progress: 'leídos {read} de {total} MB',
  rulesTakesNo: '`rules` no admite «{operand}»',
  saveEnding: '--save pide un fichero que termine en .mvprofile, no «{file}»',
  seeHelp: 'mira --help',
  seeRules: 'mira `mongovet rules`',
  takesNoValue: '{option} no lleva valor',
  takesOneOf: '{option} admite {choices}, no «{given}»',
  takesWholeNumber: '--{option} pide un número entero, no «{given}»',
  unreadable: '{path} no se puede leer',
  unwritable: '{file} no se puede escribir',
  written: 'se escribió {file}: repásalo línea a línea',
};

/** @type {Record<Language, Record<Key, string>>} */
export const SENTENCES = { en: ENGLISH, es: SPANISH };

/**
 * @param {Language} language
 * @param {Sentence} sentence
 * @returns {string}
 */
export function say(language, sentence) {
  if (typeof sentence === 'string') return sentence;
  const { key, values = {} } = sentence;
  return SENTENCES[language][key].replace(/\{(\w+)\}/g, (blank, name) => (name in values ? String(values[name]) : blank));
}

/**
 * The language that a command line asks for, also one that is wrong otherwise.
 * @param {string[]} args
 * @returns {Language}
 */
export function languageOf(args) {
  /** @type {Language} */
  let language = 'en';
  args.forEach((arg, at) => {
    const given = arg === '--lang' ? args[at + 1] : /^--lang=(.*)$/.exec(arg)?.[1];
    if (given !== undefined && Object.hasOwn(SENTENCES, given)) language = /** @type {Language} */ (given);
  });
  return language;
}

/** A mistake on the command line or in what it names. */
export class UsageError extends Error {
  #sentence;
  #hint;

  /**
   * @param {Sentence} sentence
   * @param {Sentence} [hint]
   */
  constructor(sentence, hint) {
    super(say('en', sentence));
    this.name = 'UsageError';
    this.#sentence = sentence;
    this.#hint = hint;
  }

  /** What was probably meant, or where to look. */
  get hint() {
    return this.#hint && say('en', this.#hint);
  }

  /**
   * The whole of it in one sentence.
   * @param {Language} language
   */
  in(language) {
    const sentence = say(language, this.#sentence);
    return this.#hint ? `${sentence}; ${say(language, this.#hint)}` : sentence;
  }
}
