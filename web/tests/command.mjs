// Runs the cardan command, build/bin/cardan.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const program = join(root, 'build/bin/cardan');
export const folder = mkdtempSync(join(tmpdir(), 'cardan-web-'));

/** Scenes and robots of examples/. */
export const examples = readdirSync(join(root, 'examples')).filter((name) => /\.(toml|urdf)$/.test(name));
export const example = (name) => join(root, 'examples', name);

export function cardan(...options) {
  return execFileSync(program, options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
}

/** Rows of a CSV file as objects from column to number. */
export function csvRows(path) {
  const cells = (line) => [...line.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g)].map((m) => m[2] ?? m[1].replaceAll('""', '"'));
  const [header, ...lines] = readFileSync(path, 'utf8').trim().split('\n').map(cells);
  return lines.map((line) => Object.fromEntries(header.map((name, i) => [name, Number(line[i])])));
}

/** Poses of a frame, { R, p }, at these coordinates, as `cardan eval` computes them. */
export function evaluatedPoses(file, frame, states) {
  const request = join(folder, 'request.json');
  writeFileSync(request, JSON.stringify({ quantities: ['pose'], frame, states }));
  return JSON.parse(cardan('eval', file, request)).results.map((result) => result.pose);
}

/** Starts `cardan view` and gives its address, once it is there. */
export async function view(file) {
  const process = spawn(program, ['view', file, '--no-browser'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((found, failed) => {
    process.stdout.once('data', (text) => found(String(text).trim()));
    process.once('exit', () => failed(new Error('cardan view ended')));
  });
  const ended = new Promise((done) => process.once('exit', (code) => done(code)));
  return {
    address,
    async stop() {
      const begin = Date.now();
      process.kill('SIGINT');
      return { code: await ended, milliseconds: Date.now() - begin };
    },
  };
}
