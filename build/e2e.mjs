/** `npm run e2e -- [Playwright's arguments]`: the browser tests. */
import { browserTests } from './lib/browser-tests.mjs';
import { conclude, runSteps } from './lib/checks.mjs';
import { ensureBuilt } from './lib/dist.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/main.mjs';

main(async () => {
  const node = await ensureInstalled();
  await ensureBuilt(node);
  return conclude(await runSteps([browserTests(process.argv.slice(2))], node));
});
