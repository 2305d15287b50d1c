import { useWriteRefusal } from '../../api/active.tsx';
import { useUi, type BulkKind } from '../../state/ui.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea } from '../../ui/Field.tsx';
import { Link } from '../../ui/Link.tsx';
import { RadioGroup } from '../../ui/Toggle.tsx';
import { LeaseChoice } from '../guard/LeaseChoice.tsx';
import { ReasonFields } from '../guard/ReasonFields.tsx';
import { GroupField } from './GroupField.tsx';
import { actVerbs, actWords, nounOf, targetsWords } from './job-words.ts';
import styles from './jobs.module.css';
import { PlanFailure } from './DriftList.tsx';
import { PlanButtons, PlanStep } from './PlanStep.tsx';
import { PoliciesField } from './PoliciesField.tsx';
import { StopShareField } from './StopShareField.tsx';
import { TargetsField } from './TargetsField.tsx';
import { useBulk, type Bulk } from './use-bulk.ts';

/** The bulk change that the window was asked for, if any. */
export function BulkOverlay() {
  const bulk = useUi((ui) => ui.bulk);
  const close = useUi((ui) => ui.closeBulk);
  return bulk === null ? null : <BulkDialog kind={bulk.kind} selection={bulk.targets} onClose={close} />;
}

interface BulkDialogProps {
  readonly kind: BulkKind;
  /** A frozen list of GUIDs; empty: a list is typed or pasted. */
  readonly selection: readonly string[];
  readonly onClose: () => void;
}

/** Changes many computers, or the policies of many groups: form, plan, confirmation, job. Nothing is sent before the last button. */
export function BulkDialog({ kind, selection, onClose }: BulkDialogProps) {
  const bulk = useBulk(kind, selection);
  const { isPlanned, parts, part } = bulk;
  const flow = parts[part];
  const counted = isPlanned ? (flow.plan?.targets.length ?? bulk.targets.length) : bulk.targets.length;
  return (
    <Dialog
      title={counted === 0 ? `${actVerbs[kind]} ${nounOf(kind, 2)}` : actWords(kind, counted)}
      size="large"
      tone="connection"
      isOpen
      onClose={onClose}
      footer={
        isPlanned ? <PlannedFooter bulk={bulk} onClose={onClose} /> : <FormFooter bulk={bulk} onClose={onClose} />
      }
    >
      {isPlanned ? <Planned bulk={bulk} /> : <Form bulk={bulk} selection={selection} />}
    </Dialog>
  );
}

const effects: Readonly<Record<BulkKind, string>> = {
  isolate:
    'The network traffic of each computer is cut, except to the service itself and to what its policy allows during isolation. Users notice. The service does not end it by itself.',
  release: 'Each computer is back on the network once its agent answers. A release is never held back by waves.',
  move: 'Each computer goes into the group and gets its policies. It can be undone for 24 hours.',
  policies:
    'Each group gets these policies as its own, and its computers follow with their next heartbeat. It can be undone for 24 hours, but not to inheriting.',
};

function Form({ bulk, selection }: { readonly bulk: Bulk; readonly selection: readonly string[] }) {
  const { kind, fields, form, change, problems, parts } = bulk;
  const lock = useWriteRefusal();
  const { failed, drift } = parts.main;
  return (
    <div className={styles['form']}>
      {lock === null ? null : (
        <Banner tone="warning">{lock} A plan can be made, reviewed and saved all the same; nothing can be sent.</Banner>
      )}
      {failed === null ? null : <PlanFailure error={failed} drift={drift} onAgain={bulk.plan} />}
      <p>{effects[kind]}</p>
      <TargetsField
        kind={kind}
        selection={selection}
        choice={bulk.choice}
        onChange={bulk.setChoice}
        problem={problems.targets}
      />
      {kind === 'move' ? (
        <GroupField chosen={form.group} onChoose={(group) => change({ group })} problem={problems.group} />
      ) : null}
      {kind === 'policies' ? (
        <PoliciesField
          chosen={form.policies}
          onChange={(policies) => change({ policies })}
          problem={problems.policies}
        />
      ) : null}
      {kind === 'isolate' || kind === 'release' ? (
        <ReasonFields fields={fields} kind={kind} />
      ) : (
        <TextArea
          label="Reason"
          value={fields.reason}
          onChange={fields.setReason}
          isRequired
          rows={2}
          maxLength={255}
          error={problems.reason}
          description="Kept in the incident log."
        />
      )}
      {kind === 'isolate' ? (
        <>
          <RadioGroup
            label="Unlock codes, for release at the computer itself"
            value={form.code}
            onChange={(code) => change({ code })}
            options={[
              { value: 'generated', label: 'Random for each, sealed here' },
              { value: 'service', label: 'Made by the service' },
            ]}
            orientation="horizontal"
          />
          <LeaseChoice term={form.lease} onChange={(lease) => change({ lease })} />
        </>
      ) : null}
      <StopShareField share={form.stopShare} onChange={(stopShare) => change({ stopShare })} />
    </div>
  );
}

function FormFooter({ bulk, onClose }: { readonly bulk: Bulk; readonly onClose: () => void }) {
  return (
    <>
      <span className={styles['dim']}>Nothing is sent yet: the plan comes first.</span>
      <span className={styles['spring']} />
      <Button onPress={onClose}>Cancel</Button>
      <Button tone="primary" onPress={bulk.plan}>
        Make the plan
      </Button>
    </>
  );
}

function Planned({ bulk }: { readonly bulk: Bulk }) {
  const { parts, part, split, choosePart, kind } = bulk;
  const { plan } = parts.main;
  return (
    <>
      {split.length === 0 || plan === null ? null : (
        <RadioGroup
          label="Two lists, each with its own confirmation"
          value={part}
          onChange={choosePart}
          options={[
            { value: 'main', label: `${targetsWords(kind, plan.targets.length)}${applied(parts.main.job)}` },
            {
              value: 'servers',
              label: `${targetsWords(kind, split.length)} on which others may depend${applied(parts.servers.job)}`,
            },
          ]}
          description="Servers and the like are split off: look at them one by one."
        />
      )}
      <PlanStep key={part} flow={parts[part]} />
    </>
  );
}

function applied(job: string | null): string {
  return job === null ? '' : ' · under way';
}

function PlannedFooter({ bulk, onClose }: { readonly bulk: Bulk; readonly onClose: () => void }) {
  const { parts, part } = bulk;
  const flow = parts[part];
  const isFresh = parts.main.job === null && parts.servers.job === null;
  return (
    <>
      {isFresh ? <Button onPress={bulk.back}>Back</Button> : null}
      {flow.job === null ? null : (
        <Link href={`/jobs/${flow.job}`} onPress={onClose}>
          Open the job
        </Link>
      )}
      <span className={styles['spring']} />
      <Button onPress={onClose} autoFocus>
        {isFresh ? 'Cancel' : 'Close'}
      </Button>
      <PlanButtons flow={flow} />
    </>
  );
}
