import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { at, cached } from './paths.mjs';
import { runTool } from './run.mjs';
import { say } from './say.mjs';

/** Where Electron's archives have the program. */
const binaryNames = { linux: 'electron', darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

const downloadWithinMs = 10_000;

/** Path of Electron's binary, or `undefined`. Never loads the package `electron`: that would start a download. */
export function electronBinary() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const name =
    override === undefined ? read(at('node_modules', 'electron', 'path.txt')) : binaryNames[process.platform];
  if (name === undefined) return undefined;
  const path = join(override ?? at('node_modules', 'electron', 'dist'), name);
  return existsSync(path) ? path : undefined;
}

/** Downloads the binary, once, for ten seconds at most. A failure is remembered until Electron's version changes. */
export function fetchElectron(node) {
  const memory = cached('electron-download.json');
  const { version } = JSON.parse(readFileSync(at('node_modules', 'electron', 'package.json'), 'utf8'));
  if (JSON.parse(read(memory) ?? '{}').failed === version) return undefined;
  say('Fetching Electron for the desktop window (at most 10 s, once).');
  const result = runTool(node, [at('node_modules', 'electron', 'install.js')], {
    quiet: true,
    timeoutMs: downloadWithinMs,
  });
  const binary = result.ok ? electronBinary() : undefined;
  if (binary === undefined) {
    writeFileSync(memory, JSON.stringify({ failed: version }));
    say(`Electron could not be fetched; from now on the console opens in a browser. Remove ${memory} to try again.`);
  }
  return binary;
}

/** Why no desktop window can open here, or `undefined`. */
export function whyNoWindow({ platform = process.platform, environment = process.env, uid = process.getuid?.() } = {}) {
  if (platform !== 'linux') return undefined;
  if ((environment.DISPLAY ?? '') === '' && (environment.WAYLAND_DISPLAY ?? '') === '') return 'there is no display';
  // Chromium refuses to run for root without giving up its sandbox, and the window never runs without it.
  return uid === 0 ? 'the window does not run as root' : undefined;
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
