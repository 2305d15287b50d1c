/** `npm run package`: installers of the desktop application for this system, as far as they can be built here. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

import { ensureBuilt } from './lib/dist.mjs';
import { electronBinary, fetchElectron } from './lib/electron.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/main.mjs';
import { at, cached } from './lib/paths.mjs';
import { runInPlace } from './lib/run.mjs';
import { say, step } from './lib/say.mjs';

main(async () => {
  const node = await ensureInstalled();
  await ensureBuilt(node);
  const folder = await step('Gathering the application', gather);
  if ((electronBinary() ?? (await fetchElectron(node))) === undefined) {
    say("Electron's binary is missing and could not be fetched, so no installer can be built on this machine.");
    say(`What goes into one lies in ${folder}. Try again where the download works.`);
    return 1;
  }
  return runInPlace(node, [at('build', 'package-app.mjs'), folder, ...process.argv.slice(2)]);
});

/** The entry that takes a debugger is for tests alone. */
function isShipped(path) {
  return basename(path) !== 'main-test.js';
}

/** The built program without node_modules: everything it needs is bundled. */
function gather() {
  const folder = cached('package');
  rmSync(folder, { recursive: true, force: true });
  for (const part of ['page', 'node', 'preload'])
    cpSync(at('dist', part), `${folder}/dist/${part}`, { recursive: true, filter: isShipped });
  const { name, version, description, license } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const manifest = {
    name,
    version,
    description,
    license,
    author: 'The Cordon authors',
    type: 'module',
    main: 'dist/node/main.js',
  };
  writeFileSync(`${folder}/package.json`, JSON.stringify(manifest, null, 2));
  cpSync(at('LICENSE'), `${folder}/LICENSE`);
  return folder;
}
