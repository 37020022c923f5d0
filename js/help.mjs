// @ts-check
/** `--help`, drawn from the table of options. */
import { COMMANDS, OPTIONS } from './command-line.mjs';

const EXAMPLES = `Examples:
  mongovet dump/shop                      what a mongodump folder tells
  mongovet advise dump/shop               embed or reference, with the numbers
  mongovet orders.json --collection shop.orders --format json
  mongoexport … | mongovet - --collection shop.orders
`;

/**
 * @param {string} command empty for all
 * @returns {string}
 */
export function help(command) {
  const lines = [];
  const isWhole = command === '' || command === 'check';
  if (isWhole) {
    lines.push('mongovet vets MongoDB document models: it says what is wrong or risky, why it', 'hurts, and what to do.', '');
    lines.push('Usage: mongovet [COMMAND] [OPTION…] PATH…', '', 'Commands:');
    for (const [name, { summary, operands }] of Object.entries(COMMANDS)) {
      lines.push(`  ${`${name} ${operands}`.padEnd(15)}${summary}`);
    }
  } else {
    const { summary, operands } = COMMANDS[command];
    lines.push(`mongovet ${command}: ${summary}`, '', `Usage: mongovet ${command} [OPTION…] ${operands}`.trimEnd());
  }
  const { formats } = COMMANDS[command || 'check'];
  if (formats) lines.push(...(isWhole ? [''] : []), ...folded(`Formats: ${formats.join(', ')}`));
  const known = Object.entries(OPTIONS).filter(([, { commands }]) => !command || !commands || commands.includes(command));
  for (const group of new Set(known.map(([, option]) => option.group))) {
    lines.push('', `${group}:`);
    for (const [name, option] of known) {
      if (option.group !== group) continue;
      const value = option.choices ? option.choices.join('|') : option.value;
      const flag = `${option.short ? `-${option.short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
      if (flag.length < 24) lines.push(`  ${flag.padEnd(24)}${option.help}`);
      else lines.push(`  ${flag}`, `${' '.repeat(26)}${option.help}`);
    }
  }
  lines.push('', 'Exit codes: 0 nothing at or above --fail-on, 1 findings there, 2 a mistake.', '');
  return `${lines.join('\n')}\n${EXAMPLES}`;
}

/**
 * Lines of at most 80 columns.
 * @param {string} text
 */
function folded(text) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line.length + word.length < 80) lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines;
}
