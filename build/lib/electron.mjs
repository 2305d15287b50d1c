import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { at } from './paths.mjs';
import { runInPlace } from './run.mjs';
import { say } from './say.mjs';

/** Where Electron's archives have the program. */
const binaryNames = { linux: 'electron', darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

/** Path of Electron's binary, or `undefined`. Never loads the package `electron`: that would start a download. */
export function electronBinary() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const name =
    override === undefined ? read(at('node_modules', 'electron', 'path.txt')) : binaryNames[process.platform];
  if (name === undefined) return undefined;
  const path = join(override ?? at('node_modules', 'electron', 'dist'), name);
  return existsSync(path) ? path : undefined;
}

/**
 * Downloads the binary, with progress; somebody may cancel it. Nothing is remembered: the next start tries again, except
 * where `ELECTRON_SKIP_BINARY_DOWNLOAD` says that nobody wants it.
 */
export async function fetchElectron(node) {
  const { ELECTRON_SKIP_BINARY_DOWNLOAD: skip, ELECTRON_OVERRIDE_DIST_PATH: override } = process.env;
  if (![undefined, '', '0'].includes(skip) || override !== undefined) return undefined;
  // Node hears of the environment's proxy by this switch alone.
  const code = await runInPlace(node, ['--use-env-proxy', '--no-warnings', at('build', 'fetch-electron.mjs')]);
  const binary = code === 0 ? electronBinary() : undefined;
  if (binary === undefined)
    say(
      'The console opens in a browser; the next start tries again. ELECTRON_SKIP_BINARY_DOWNLOAD=1 keeps it from that.',
    );
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
