import { rmSync } from 'node:fs';

import { findChromium, getChromium } from './chromium.mjs';
import { counted } from './checks.mjs';
import { at, cached } from './paths.mjs';
import { readJson } from './read-json.mjs';
import { runTool } from './run.mjs';
import { say } from './say.mjs';

/** The browser tests: Playwright's project "browser". `args` go to Playwright. */
export function browserTests(args = []) {
  return {
    name: 'End to end (Playwright)',
    run: (node) => {
      const browser = findChromium(node) ?? getChromium(node);
      if (browser === undefined) {
        say('No browser could be found or installed, so nothing can be proved here.');
        return counted(false);
      }
      const env = { ...process.env, CORDON_CHROMIUM: browser };
      const command = [node, at('node_modules', '@playwright', 'test', 'cli.js')];
      return playwright(command, ['--project=browser', ...args], { file: cached('playwright.json'), env });
    },
  };
}

/** Runs Playwright by the command and counts what its own report, written to the file, says. */
export function playwright([program, ...before], args, { file, env }) {
  rmSync(file, { force: true });
  const words = ['test', '--config', at('e2e', 'playwright.config.ts'), '--reporter=list,json', ...args];
  const { ok } = runTool(program, [...before, ...words], { env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: file } });
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = readJson(file).stats ?? {};
  if (flaky > 0) say(`  ${flaky} needed a second try; the list above names them.`);
  return { passed: expected + flaky, failed: ok ? 0 : Math.max(unexpected, 1), skipped };
}
