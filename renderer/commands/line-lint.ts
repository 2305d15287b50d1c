import { parseLine, type LineProblem } from '#shared/commands/parse.ts';

import { helpTopic } from './help-topic.ts';

/**
 * What is wrong with a typed line. While it is typed, only what stands behind the caret's word counts, and what is
 * missing may still come; once it was tried, everything counts.
 */
export function lintLine(line: string, isTried: boolean): readonly LineProblem[] {
  if (line.trim() === '' || helpTopic(line) !== null) return [];
  const { problems, spec } = parseLine(line);
  if (isTried) return problems;
  const isTypingName = spec === undefined && !line.trimStart().includes(' ');
  return isTypingName ? [] : problems.filter((problem) => !problem.missing && problem.to < line.length);
}
