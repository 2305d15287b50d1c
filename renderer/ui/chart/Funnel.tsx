import { useCallback, useRef } from 'react';

import { formatCount } from '../time.ts';
import { Figure } from './Figure.tsx';
import { Items } from './Items.tsx';
import { basics, patternOf, tooltipLook } from './looks.ts';
import type { PictureHandle } from './Picture.tsx';
import type { Draw, PictureOption, Tone, View } from './view.ts';

export interface FunnelStep {
  readonly name: string;
  readonly value: number;
  readonly tone: Tone;
}

export interface FunnelProps {
  readonly title: string;
  /** From the widest on. Keep it stable between renderings. */
  readonly steps: readonly FunnelStep[];
  readonly onOpen: (step: number) => void;
  readonly height?: number;
  readonly empty: string;
  readonly fileName: string;
}

/** How many of what was begun came to its end. */
export function Funnel({ title, steps, onOpen, height = 132, empty, fileName }: FunnelProps) {
  const picture = useRef<PictureHandle>(null);
  const draw: Draw = useCallback((view) => funnelOption(title, steps, view), [title, steps]);
  const words = ({ name, value }: FunnelStep) => `${name}: ${formatCount(value)}`;
  return (
    <Figure
      title={title}
      summary={steps.map(words).join(', ')}
      draw={draw}
      height={height}
      fileName={fileName}
      empty={steps.every(({ value }) => value === 0) ? empty : null}
      handle={picture}
      onPick={({ index }) => onOpen(index)}
      table={{
        columns: ['Step', 'count', 'of the first'],
        rows: steps.map((step, index) => ({
          key: step.name,
          cells: [step.name, formatCount(step.value), shareOf(step.value, steps[0]?.value ?? 0)],
          onPress: () => onOpen(index),
        })),
      }}
      over={
        <Items
          label={title}
          picture={picture}
          items={steps.map((step, index) => ({
            key: step.name,
            name: words(step),
            place: { series: 0, index },
            onOpen: () => onOpen(index),
          }))}
        />
      }
    />
  );
}

function shareOf(value: number, all: number): string {
  return all === 0 ? '–' : `${Math.round((value / all) * 100)} %`;
}

function funnelOption(title: string, steps: readonly FunnelStep[], view: View): PictureOption {
  const { theme } = view;
  const first = Math.max(1, ...steps.map(({ value }) => value));
  return {
    ...basics(view),
    tooltip: {
      ...tooltipLook(theme),
      formatter: (params: unknown) => {
        const index =
          typeof params === 'object' && params !== null && 'dataIndex' in params ? Number(params.dataIndex) : -1;
        const step = steps[index];
        return step === undefined
          ? ''
          : `${step.name}: ${formatCount(step.value)} (${shareOf(step.value, steps[0]?.value ?? 0)})`;
      },
    },
    series: [
      {
        name: title,
        type: 'funnel',
        sort: 'none',
        min: 0,
        max: first,
        minSize: '4%',
        gap: 3,
        left: 8,
        width: Math.max(80, view.width * 0.5),
        top: view.top + 4,
        height: view.height - 8,
        label: { position: 'right', color: theme.ink2, fontSize: 12, formatter: '{b} {c}' },
        labelLine: { length: 12, lineStyle: { color: theme.tones.faint } },
        itemStyle: { borderWidth: 0 },
        emphasis: { itemStyle: { borderColor: theme.focus, borderWidth: 2 }, label: { color: theme.ink } },
        data: steps.map(({ name, value, tone }) => {
          const decal = patternOf(tone, theme);
          return { name, value, itemStyle: { color: theme.tones[tone], ...(decal === undefined ? {} : { decal }) } };
        }),
      },
    ],
  };
}
