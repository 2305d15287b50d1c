import { useState } from 'react';

import { listFormats, listTypes, storedValue } from '#shared/model/instance.ts';

import { Disclosure } from '../../ui/Disclosure.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { Checkbox } from '../../ui/Toggle.tsx';
import { errorAt, type PartProps } from './fields.tsx';
import { FileLists } from './FileLists.tsx';
import styles from './form.module.css';
import type { ListDraft } from './list-draft.ts';

/** What Cordon runs, if it runs anything. */
export function ProgramPart(props: PartProps) {
  if (props.draft.kind === 'managed') return <Managed {...props} />;
  return props.draft.kind === 'list' ? <ListService {...props} /> : null;
}

function Managed({ draft, set, problem }: PartProps) {
  return (
    <>
      <TextField
        label="Command"
        value={draft.command}
        onChange={(command) => set({ command })}
        isRequired
        mono
        error={errorAt(problem, 'program.command')}
        placeholder="python3 service.py"
        description="Program and arguments; no shell is between. It finds its port in PORT and the address to bind in HOST."
      />
      <div className={styles['pair']}>
        <TextField
          label="Folder"
          value={draft.folder}
          onChange={(folder) => set({ folder })}
          mono
          error={errorAt(problem, 'program.folder')}
          description="Where it starts."
        />
        <TextArea
          label="Environment"
          value={draft.environment}
          onChange={(environment) => set({ environment })}
          mono
          rows={2}
          error={errorAt(problem, 'program.environment')}
          description={`NAME=value, one per line. A stored value is shown as ${storedValue}: left so, it stays. Not a place for secrets: the profile keeps it in plain form.`}
        />
      </div>
    </>
  );
}

const typeWords = { sha256: 'SHA-256 hashes', ip: 'Addresses and networks', url: 'URLs', domain: 'Domains' } as const;
const formatWords = { text: 'Text, one per line', json: 'JSON', csv: 'CSV' } as const;
const collapseWords = { none: 'As they are', ranges: 'Ranges', cidrs: 'Networks (CIDR)' } as const;

function ListService({ draft, set, problem }: PartProps) {
  const { list } = draft;
  const change = (next: Partial<ListDraft>) => set({ list: { ...list, ...next } });
  const sources = errorAt(problem, 'program.builtin.sources');
  return (
    <>
      <div className={styles['pair']}>
        <Select
          label="Values"
          value={list.type}
          onChange={(type) => change({ type })}
          options={listTypes.map((value) => ({ value, label: typeWords[value] }))}
        />
        <Select
          label="Format"
          value={list.format}
          onChange={(format) => change({ format })}
          options={listFormats.map((value) => ({ value, label: formatWords[value] }))}
        />
      </div>
      <div className={styles['pair']}>
        <TextArea
          label="Pasted values"
          value={list.text}
          onChange={(text) => change({ text })}
          mono
          rows={4}
          error={sources === null ? null : 'Give it at least one source: values, a file, or a file list.'}
          description="One per line; # begins a comment."
        />
        <TextArea
          label="Files of this computer"
          value={list.files}
          onChange={(files) => change({ files })}
          mono
          rows={4}
          description="Paths, one per line. Reloaded with each rebuild."
        />
      </div>
      {list.type === 'sha256' ? <FileLists list={list} change={change} /> : null}
      <ListDetails list={list} change={change} problem={problem} />
    </>
  );
}

interface ListProps {
  readonly list: ListDraft;
  readonly change: (next: Partial<ListDraft>) => void;
}

function ListDetails({ list, change, problem }: ListProps & Pick<PartProps, 'problem'>) {
  const at = (field: string) => errorAt(problem, `program.builtin.${field}`);
  const wrong = ['size', 'refreshS', 'shrinkGuardPercent', 'never'].some((field) => at(field) !== null);
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure
      title="How the list is built"
      summary={`every ${list.refreshS} s · shrink guard ${list.shrinkGuardPercent} % · at most ${list.size}`}
      isOpen={isOpen || wrong}
      onToggle={setOpen}
    >
      <div className={styles['triple']}>
        <TextField
          label="Rebuilt every (seconds)"
          value={list.refreshS}
          onChange={(refreshS) => change({ refreshS })}
          error={at('refreshS')}
        />
        <TextField
          label="Shrink guard (percent)"
          value={list.shrinkGuardPercent}
          onChange={(shrinkGuardPercent) => change({ shrinkGuardPercent })}
          error={at('shrinkGuardPercent')}
          description="A rebuild that loses more waits for you."
        />
        <TextField
          label="At most (values)"
          value={list.size}
          onChange={(size) => change({ size })}
          error={at('size')}
        />
      </div>
      <div className={styles['pair']}>
        <Select
          label="Addresses are put together as"
          value={list.collapse}
          onChange={(collapse) => change({ collapse })}
          options={(['none', 'ranges', 'cidrs'] as const).map((value) => ({ value, label: collapseWords[value] }))}
        />
        <TextArea
          label="Never published"
          value={list.never}
          onChange={(never) => change({ never })}
          mono
          rows={2}
          error={at('never')}
          description="Addresses, networks, domains or hashes, one per line."
        />
      </div>
      <div className={styles['checks']}>
        <Checkbox isSelected={list.dropInvalid} onChange={(dropInvalid) => change({ dropInvalid })}>
          Drop values that are not valid
        </Checkbox>
        <Checkbox isSelected={list.stripProtocol} onChange={(stripProtocol) => change({ stripProtocol })}>
          Cut https:// from URLs
        </Checkbox>
        <Checkbox isSelected={list.stripPort} onChange={(stripPort) => change({ stripPort })}>
          Cut ports from URLs
        </Checkbox>
        <Checkbox isSelected={list.allowEmpty} onChange={(allowEmpty) => change({ allowEmpty })}>
          An empty list may be published
        </Checkbox>
        <Checkbox isSelected={list.commentIfEmpty} onChange={(commentIfEmpty) => change({ commentIfEmpty })}>
          An empty list holds “# Empty List”
        </Checkbox>
      </div>
    </Disclosure>
  );
}
