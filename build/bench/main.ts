/** `npm run bench [-- SUITE …]`: prints Markdown tables of what was measured on this machine. */
import { machine, table, type Figure } from './measure.ts';

const suites: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  cli: async () => (await import('./cli-start.ts')).benchCliStart(),
  window: async () => (await import('./window.ts')).benchWindow(),
};

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.find((name) => !(name in suites));
  if (unknown !== undefined) {
    process.stderr.write(`There is no bench "${unknown}". Known: ${Object.keys(suites).join(', ')}.\n`);
    return 2;
  }
  process.stdout.write(`${machine()}\n`);
  for (const [name, run] of Object.entries(suites)) {
    if (names.length > 0 && !names.includes(name)) continue;
    process.stdout.write(`\n## ${name}\n\n${table(await run())}\n`);
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
