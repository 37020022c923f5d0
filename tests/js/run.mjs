// @ts-check
/** Runs commands to their end and gives back what they said. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const shop = 'examples/shop';

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, input?: string | Uint8Array, env?: Record<string, string | undefined> }} [options]
 * @returns {Promise<{ status: number | null, stdout: string, stderr: string }>}
 */
export function run(command, args, { cwd = root, input = '', env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, stdout, stderr }));
    // A command that reads nothing may have ended already.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/**
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export const mongovet = (args, options) => run(process.execPath, [join(root, 'js', 'cli.mjs'), ...args], options);

/**
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
export const mongosh = (args, options = {}) =>
  run(process.execPath, [join(root, 'node_modules', 'mongosh', 'bin', 'mongosh.js'), '--quiet', '--norc', ...args], options);
