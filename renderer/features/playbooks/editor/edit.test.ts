import { expect, test } from 'vitest';

import { addStep, changeCommand, changeStep, changeVariable, emptyDraft, removeStep, type Draft } from './edit.ts';

const now = '2026-11-24T00:00:00.000Z';
const names = ({ workflow, workflow_start: start }: Draft): readonly string[] => {
  const found: string[] = [];
  for (let id: string | undefined = start; id !== undefined; id = workflow[id]?.on_completion)
    found.push(workflow[id]?.name ?? workflow[id]?.type ?? '');
  return found;
};

test('steps are added after another, and what is removed is led past', () => {
  const draft = emptyDraft('Drill', now);
  const first = addStep(draft, draft.workflow_start, 'request', 'Read');
  const second = addStep(first.draft, first.id, 'if-condition', 'Sure?');
  const third = addStep(second.draft, first.id, 'question', 'Ask');
  expect(names(third.draft)).toEqual(['start', 'Read', 'Ask', 'Sure?', 'end']);
  expect(Object.keys(third.draft.workflow)).toHaveLength(6);
  const without = removeStep(third.draft, second.id);
  expect(names(without)).toEqual(['start', 'Read', 'Ask', 'end']);
  expect(Object.keys(without.workflow)).toHaveLength(5);
  expect(names(draft)).toEqual(['start', 'end']);
});

test('agents and targets are defined once', () => {
  const draft = emptyDraft('Drill', now);
  const first = addStep(draft, draft.workflow_start, 'request', 'One');
  const { draft: both } = addStep(first.draft, first.id, 'request', 'Two');
  expect(Object.keys(both.agent_definitions ?? {})).toHaveLength(1);
  expect(Object.keys(both.target_definitions ?? {})).toHaveLength(1);
});

test('fields, requests and variables change, and unknown extensions stay', () => {
  const begun: Draft = { ...emptyDraft('Drill', now), extension_definitions: { own: 1 } };
  const { draft, id } = addStep(begun, begun.workflow_start, 'request', 'Read');
  const named = changeCommand(changeStep(draft, id, { name: 'Look', timeout: 5000 }), id, {
    command: 'GET /groups HTTP/1.1',
  });
  expect(named.workflow[id]).toMatchObject({
    name: 'Look',
    timeout: 5000,
    commands: [{ command: 'GET /groups HTTP/1.1' }],
  });
  const renamed = changeVariable(
    changeVariable(named, '__a__', { type: 'string' }),
    '__a__',
    { type: 'uuid' },
    '__b__',
  );
  expect(renamed.playbook_variables).toMatchObject({ __b__: { type: 'uuid' } });
  expect(changeVariable(renamed, '__b__', null).playbook_variables).not.toHaveProperty('__b__');
  expect(renamed['extension_definitions']).toEqual({ own: 1 });
});
