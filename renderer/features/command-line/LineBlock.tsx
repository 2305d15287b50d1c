import { recordsOf } from '#shared/commands/table.ts';
import { useState } from 'react';

import { RunOutput } from '../../commands/RunOutput.tsx';
import { RunProgressLine } from '../../commands/RunProgressLine.tsx';
import type { RanLine } from '../../commands/Scrollback.tsx';
import { Button } from '../../ui/Button.tsx';
import { useRowHeight } from '../../ui/RowHeight.tsx';
import { Tag, type Tone } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './CommandLine.module.css';
import { CopyAnswerDialog } from './CopyAnswerDialog.tsx';
import { endOf } from './forms.ts';
import { t } from './text.ts';

interface LineBlockProps {
  readonly ran: RanLine;
  readonly onStop: () => void;
  readonly onAgain: () => void;
}

const words: Readonly<Record<RanLine['state']['kind'], readonly [word: string, tone: Tone]>> = {
  idle: ['waits', 'plain'],
  running: ['◔ runs', 'accent'],
  done: ['✓ done', 'ok'],
  failed: ['✕ failed', 'bad'],
  forgotten: ['✓ done', 'ok'],
};

function wordsOf(state: RanLine['state']): (typeof words)['idle'] {
  const isStopped = state.kind === 'failed' && state.error.code === 'cancelled';
  return isStopped ? ['■ stopped', 'plain'] : words[state.kind];
}

/** One line with its answer, in a frame that can be focused. */
export function LineBlock({ ran, onStop, onAgain }: LineBlockProps) {
  const { line, spec, state, at } = ran;
  const [isCopying, setCopying] = useState(false);
  const [word, tone] = wordsOf(state);
  const height = useAnswerHeight(state);
  const end = state.kind === 'done' ? endOf(state.result) : null;
  return (
    <article className={styles['block']} tabIndex={-1} aria-label={`!${line}, ${word.slice(2)}`}>
      <div className={styles['blockHead']}>
        <Tag tone={tone}>{word}</Tag>
        <code className={styles['line']}>!{line}</code>
        <Time at={at} form="clock" />
        <Button size="small" tone="quiet" onPress={onAgain} aria-label={t.copyCommand(line)}>
          {t.copyToLine}
        </Button>
        {state.kind === 'done' ? (
          <Button size="small" tone="quiet" onPress={() => setCopying(true)} aria-haspopup="dialog">
            {t.copyOrSave}
          </Button>
        ) : null}
      </div>
      {state.kind === 'running' ? <RunProgressLine run={state.run} since={state.since} onStop={onStop} /> : null}
      {state.kind === 'done' || state.kind === 'failed' ? (
        <div className={styles['answer']} style={height === null ? {} : { height }}>
          <RunOutput spec={spec} state={state} />
        </div>
      ) : null}
      {state.kind === 'forgotten' ? (
        <p className={styles['hint']}>
          {state.message} {t.theseRecords}
        </p>
      ) : null}
      {end === null ? null : <p className={styles['hint']}>{end}</p>}
      {isCopying && state.kind === 'done' ? (
        <CopyAnswerDialog spec={spec} line={line} result={state.result} onClose={() => setCopying(false)} />
      ) : null}
    </article>
  );
}

/** Message, tabs, and the line under the table's head (pixels). */
const around = 108;
const tallest = 420;

/** A table draws only rows in view, so it has to be told its height: that of its rows, within bounds. */
function useAnswerHeight(state: RanLine['state']): number | null {
  const rowHeight = useRowHeight();
  const data = state.kind === 'done' ? state.result.data : null;
  const records = recordsOf(data).length;
  // One object is no table.
  if (records === 0 || recordsOf(data)[0] === data) return null;
  return Math.min(tallest, Math.max(220, around + (records + 1) * rowHeight));
}
