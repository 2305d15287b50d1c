import { useState, type ReactNode } from 'react';

import { Disclosure } from '../../ui/Disclosure.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { linesOf, type Problem } from './read-draft.ts';
import { errorAt, NumberInput, Option, type PartProps } from './fields.tsx';
import styles from './form.module.css';

interface FoldedProps {
  readonly title: string;
  readonly summary: string;
  /** Fields inside: the part opens when one of them is at fault. */
  readonly fields: readonly string[];
  readonly problem: Problem | null;
  readonly children: ReactNode;
}

function Folded({ title, summary, fields, problem, children }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  const wrong = fields.some((field) => errorAt(problem, field) !== null);
  return (
    <Disclosure title={title} summary={summary} isOpen={isOpen || wrong} onToggle={setOpen}>
      {children}
    </Disclosure>
  );
}

export function CallersPart(props: PartProps) {
  const { draft, set, problem } = props;
  const networks = linesOf(draft.allow).length;
  const summary = `${networks === 0 ? 'every address' : networks === 1 ? '1 network' : `${networks} networks`} · ${draft.methods.trim() === '' ? 'every method' : draft.methods}`;
  return (
    <Folded title="Addresses and methods" summary={summary} fields={['allow', 'origins', 'methods']} problem={problem}>
      <div className={styles['pair']}>
        <TextArea
          label="Addresses that may use it"
          value={draft.allow}
          onChange={(allow) => set({ allow })}
          mono
          rows={3}
          error={errorAt(problem, 'allow')}
          placeholder={'10.0.0.0/8\n192.0.2.7'}
          description="Addresses or networks, one per line; empty: all."
        />
        <TextArea
          label="Other sites whose pages may call it"
          value={draft.origins}
          onChange={(origins) => set({ origins })}
          mono
          rows={3}
          error={errorAt(problem, 'origins')}
          placeholder="https://portal.example"
          description="Origins, one per line; empty: none."
        />
      </div>
      <TextField
        label="Methods"
        value={draft.methods}
        onChange={(methods) => set({ methods })}
        mono
        error={errorAt(problem, 'methods')}
        placeholder="GET HEAD"
        description="Empty: every method but CONNECT and TRACE."
      />
    </Folded>
  );
}

export function LimitsPart(props: PartProps) {
  const { numbers } = props.draft;
  const rate =
    numbers['limits.ratePerSecond'] === '0' ? 'no rate limit' : `${numbers['limits.ratePerSecond']} requests/s`;
  const once =
    numbers['limits.concurrency'] === '0' ? 'any number at once' : `${numbers['limits.concurrency']} at once`;
  return (
    <Folded title="Limits" summary={`${rate} · ${once}`} fields={['limits']} problem={props.problem}>
      <div className={styles['triple']}>
        <NumberInput
          {...props}
          field="limits.ratePerSecond"
          label="Requests per second"
          description="From one address; 0: no limit."
        />
        <NumberInput {...props} field="limits.burst" label="Burst" description="Let through at once." />
        <NumberInput {...props} field="limits.body" label="Body (bytes)" description="0: no limit." />
        <NumberInput {...props} field="limits.concurrency" label="At the instance at once" description="0: no limit." />
        <NumberInput {...props} field="limits.queue" label="Queue" description="Those above it get 429." />
        <NumberInput {...props} field="limits.head" label="Head (bytes)" description="1024 to 65536." />
      </div>
    </Folded>
  );
}

export function TimesPart(props: PartProps) {
  const { numbers } = props.draft;
  const first = numbers['timeouts.firstByteS'] === '0' ? 'no limit' : `${numbers['timeouts.firstByteS']} s`;
  return (
    <Folded title="Timeouts" summary={`first byte ${first}`} fields={['timeouts']} problem={props.problem}>
      <div className={styles['triple']}>
        <NumberInput {...props} field="timeouts.connectS" label="Connect (seconds)" />
        <NumberInput
          {...props}
          field="timeouts.firstByteS"
          label="First byte (seconds)"
          description="Large lists need minutes; 0: none."
        />
        <NumberInput
          {...props}
          field="timeouts.idleS"
          label="Silence (seconds)"
          description="In a body or WebSocket; 0: none."
        />
        <NumberInput
          {...props}
          field="timeouts.minRate"
          label="Least rate (bytes/s)"
          description="Of a request’s body; 0: none."
        />
      </div>
    </Folded>
  );
}

export function OptionsPart(props: PartProps) {
  const { draft, set, problem } = props;
  const fields = ['trailers', 'hostHeader', 'serveStaleS', 'certificate'];
  const stale = draft.numbers.serveStaleS === '0' ? '' : ' · serves the last good answer';
  const summary = `${draft.switches.websocket ? 'WebSocket' : 'no WebSocket'}${draft.switches.singleFlight ? ' · single flight' : ''}${stale}`;
  return (
    <Folded title="Options" summary={summary} fields={fields} problem={problem}>
      <div className={styles['checks']}>
        <Option {...props} field="singleFlight">
          Single flight: equal GETs at the same time cost one request
        </Option>
        <Option {...props} field="websocket">
          WebSocket
        </Option>
        <Option {...props} field="webInterface">
          Web interface: browsers open it, /name leads to /name/
        </Option>
        <Option {...props} field="rewriteLocation">
          Rewrite Location so that redirects lead through the route
        </Option>
        <Option {...props} field="scopeCookies">
          Keep its cookies to its own path
        </Option>
        <Option {...props} field="stripAuthorization">
          Authorization ends here once the access check has passed
        </Option>
        <Option {...props} field="forwarded">
          Send Forwarded (RFC 7239) beside X-Forwarded-*
        </Option>
      </div>
      <div className={styles['triple']}>
        <NumberInput
          {...props}
          field="serveStaleS"
          label="Last good answer (seconds)"
          description="Served when it fails; 0: never."
        />
        <TextField
          label="Host"
          value={draft.hostHeader}
          onChange={(hostHeader) => set({ hostHeader })}
          mono
          error={errorAt(problem, 'hostHeader')}
          description="preserve, loopback, or a text."
        />
        <TextField
          label="Trailers that pass"
          value={draft.trailers}
          onChange={(trailers) => set({ trailers })}
          mono
          error={errorAt(problem, 'trailers')}
          description="Names; empty: none."
        />
      </div>
      <TextArea
        label="Certificate for direct access"
        value={draft.certificate}
        onChange={(certificate) => set({ certificate })}
        mono
        rows={2}
        error={errorAt(problem, 'certificate')}
        placeholder="-----BEGIN CERTIFICATE-----"
        description="Only for an instance that speaks HTTPS itself. Reached through the route it must have none: the route speaks plain HTTP to it."
      />
    </Folded>
  );
}

export function HealthPart(props: PartProps) {
  const { draft, set, problem } = props;
  const every = draft.numbers['healthCheck.intervalS'];
  return (
    <Folded
      title="Health check"
      summary={every === '0' ? 'the port alone' : `${draft.healthPath} every ${every} s`}
      fields={['healthCheck']}
      problem={problem}
    >
      <div className={styles['triple']}>
        <TextField
          label="Path"
          value={draft.healthPath}
          onChange={(healthPath) => set({ healthPath })}
          mono
          error={errorAt(problem, 'healthCheck.path')}
        />
        <NumberInput
          {...props}
          field="healthCheck.intervalS"
          label="Every (seconds)"
          description="0: the port is looked at, nothing is asked."
        />
        <TextField
          label="Expected status"
          value={draft.healthExpect}
          onChange={(healthExpect) => set({ healthExpect })}
          error={errorAt(problem, 'healthCheck.expect')}
          placeholder="200 204"
          description="Empty: any below 500."
        />
      </div>
    </Folded>
  );
}
