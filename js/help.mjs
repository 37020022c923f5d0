// @ts-check
/** `--help`, drawn from the tables of commands and options. */
import { COMMANDS, GROUPS, OPTIONS } from './command-line.mjs';
import { say } from './words.mjs';

/**
 * @param {string} command empty for all
 * @param {import('./words.mjs').Language} [language]
 * @returns {string}
 */
export function help(command, language = 'en') {
  const words = (/** @type {import('./words.mjs').Key} */ key) => say(language, { key });
  const lines = [];
  const isWhole = command === '' || command === 'check';
  const { summary, operands, formats, examples } = COMMANDS[command || 'check'];
  if (command === '') {
    lines.push(...folded(words('about'), ''), '', `${words('usage')}: mongovet [COMMAND] [OPTION…] PATH…`);
    lines.push('', `${words('commands')}:`);
    for (const [name, known] of Object.entries(COMMANDS)) {
      lines.push(`  ${`${name} ${known.operands}`.padEnd(15)}${known.summary[language]}`);
    }
  } else {
    lines.push(`mongovet ${command}: ${summary[language]}`, '', `${words('usage')}: mongovet ${command} [OPTION…] ${operands}`.trimEnd());
  }
  if (formats) lines.push(...(isWhole ? [''] : []), ...folded(`${words('formats')}: ${formats.join(', ')}`, '  '));
  const known = Object.entries(OPTIONS).filter(([, { commands }]) => !command || !commands || commands.includes(command));
  for (const group of new Set(known.map(([, option]) => option.group))) {
    lines.push('', `${GROUPS[group][language]}:`);
    for (const [name, option] of known) {
      if (option.group !== group) continue;
      const value = option.choices ? option.choices.join('|') : option.value;
      const flag = `${option.short ? `-${option.short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
      if (flag.length < 24) lines.push(`  ${flag.padEnd(24)}${option.help[language]}`);
      else lines.push(`  ${flag}`, `${' '.repeat(26)}${option.help[language]}`);
    }
  }
  lines.push('', words(isWhole ? 'exitCodes' : 'exitCodesOfOthers'), '', `${words('examples')}:`);
  // Where all commands are told, each shows what it is for.
  const shown = command === '' ? Object.values(COMMANDS).map((each) => each.examples[0]) : examples;
  const width = Math.max(...shown.map(([line]) => line.length));
  for (const [line, purpose] of shown) lines.push(`  ${line.padEnd(width)}  ${purpose[language]}`);
  return `${lines.join('\n')}\n`;
}

/**
 * Lines of at most 80 columns.
 * @param {string} text
 * @param {string} indent before all lines but the first
 */
function folded(text, indent) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line.length + word.length < 80) lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}
