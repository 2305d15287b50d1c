/** Runs electron-builder over the gathered application; Node 24, started by `package.mjs`. */
import { readFileSync } from 'node:fs';

import { build, Platform } from 'electron-builder';

import { setFuses } from './fuses.mjs';
import { at } from './lib/paths.mjs';
import { say } from './lib/say.mjs';

const [folder] = process.argv.slice(2);
const electronVersion = JSON.parse(readFileSync(at('node_modules', 'electron', 'package.json'), 'utf8')).version;

const made = await build({
  projectDir: folder,
  targets: Platform.current().createTarget(),
  publish: 'never',
  config: {
    appId: 'dev.cordon.console',
    productName: 'Cordon',
    electronVersion,
    directories: { output: at('release') },
    files: ['dist/**', 'package.json', 'LICENSE'],
    asar: true,
    npmRebuild: false,
    // Links that open a screen; see electron/desktop/deep-link.ts.
    protocols: [{ name: 'Cordon', schemes: ['cordon'] }],
    // Its own fuse option misses one of them; see fuses.mjs.
    afterPack: setFuses,
    linux: { target: ['AppImage', 'deb'], category: 'Security', maintainer: 'The Cordon authors' },
    mac: { target: ['dmg', 'zip'], category: 'public.app-category.utilities', hardenedRuntime: true },
    win: { target: ['nsis'] },
  },
});
for (const file of made) say(file);
