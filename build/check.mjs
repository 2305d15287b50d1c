/** `npm run check`: everything that can be said without a browser. */
import { checks, conclude, runSteps } from './lib/checks.mjs';
import { ensureBuilt } from './lib/dist.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/main.mjs';

main(async () => {
  const node = await ensureInstalled();
  await ensureBuilt(node);
  return conclude(await runSteps(checks, node));
});
