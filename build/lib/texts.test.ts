import { expect, test } from 'vitest';

import { isTextModule, textsOf } from './texts.ts';

test('texts come in their order, with a mark for each value; names in the code are none', () => {
  const code =
    "import { a } from './a b.ts';\nexport const text = { none: 'No jobs yet', kind: 'read_only' };\nexport const of = (n: number) => `${n} of\n  ${a} jobs`;\nexport const save = 'Save';\n";
  expect(textsOf('text.ts', code)).toEqual(['No jobs yet', '… of … jobs', 'Save']);
});

test('modules of texts are those of shared/text, text.ts and those of words, without their tests', () => {
  expect(
    [
      'shared/text/isolation.ts',
      'renderer/features/jobs/text.ts',
      'renderer/commands/jobs/job-words.ts',
      'renderer/commands/jobs/job-words.test.ts',
      'renderer/features/jobs/JobScreen.tsx',
    ].map(isTextModule),
  ).toEqual([true, true, true, false, false]);
});
