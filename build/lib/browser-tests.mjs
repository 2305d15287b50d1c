import { rmSync } from 'node:fs';

import { findChromium, getChromium } from './chromium.mjs';
import { counted } from './checks.mjs';
import { electronBinary, whyNoWindow } from './electron.mjs';
import { cached } from './paths.mjs';
import { readJson } from './read-json.mjs';
import { say } from './say.mjs';
import { tool } from './tools.mjs';

/** The browser tests, and the desktop pass where its binary is. `args` go to Playwright. */
export function browserTests(args = []) {
  return {
    name: 'End to end (Playwright)',
    run: (node) => {
      const browser = findChromium(node) ?? getChromium(node);
      if (browser === undefined) {
        say('No browser could be found or installed, so nothing can be proved here.');
        return counted(false);
      }
      const file = cached('playwright.json');
      rmSync(file, { force: true });
      const env = {
        ...process.env,
        CORDON_CHROMIUM: browser,
        CORDON_ELECTRON: desktop(),
        PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      };
      const { ok } = tool(
        node,
        'playwright',
        ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json', ...args],
        { env },
      );
      const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = readJson(file).stats ?? {};
      if (flaky > 0) say(`  ${flaky} needed a second try; the list above names them.`);
      return { passed: expected + flaky, failed: ok ? 0 : Math.max(unexpected, 1), skipped };
    },
  };
}

/** Path of Electron's binary, or nothing, said loudly. */
function desktop() {
  const binary = electronBinary();
  const reason = binary === undefined ? "Electron's binary is not installed" : whyNoWindow();
  if (reason === undefined) return binary;
  say(`  THE DESKTOP PASS IS SKIPPED: ${reason}.`);
  return '';
}
