// @ts-check
/** A server for the tests: MONGODB_URI where it is set, else one in memory that is started here. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const target = fileURLToPath(new URL('../../target/test-server/', import.meta.url));
const classpathFile = join(target, 'classpath');

/**
 * @returns {Promise<{ uri: string, isReal: boolean, stop: () => void } | { missing: string }>}
 */
export async function startServer() {
  const given = process.env.MONGODB_URI;
  if (given) return { uri: given, isReal: true, stop() {} };
  const missing = ['java', 'mvn'].find((command) => !runs(command));
  if (missing) return { missing: `${missing} is not installed and MONGODB_URI is not set` };
  if (!existsSync(classpathFile)) resolveClasspath();
  // Its `$sample` sorts by a random comparison, of which the newer sort of Java complains now and then.
  const child = spawn('java', ['-Djava.util.Arrays.useLegacyMergeSort=true', '-cp', readFileSync(classpathFile, 'utf8'), join(here, 'Launcher.java')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout });
  const uri = await new Promise((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the test server ended with ${code} before it listened`)));
  });
  return { uri, isReal: false, stop: () => child.stdin.end() };
}

function resolveClasspath() {
  mkdirSync(target, { recursive: true });
  const args = ['-q', '-B', '-f', join(here, 'pom.xml'), 'dependency:build-classpath', `-Dmdep.outputFile=${classpathFile}`];
  execFileSync('mvn', args, { stdio: ['ignore', 'inherit', 'inherit'] });
}

/** @param {string} command */
function runs(command) {
  try {
    execFileSync(command, ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
