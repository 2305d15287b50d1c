import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { CertificateStatus, ForwarderStatus } from '#shared/contract/instances.ts';
import { firstVersionWithRoute, forwardKeys } from '#shared/model/server-parameter.ts';
import { asSentence } from '#shared/sentence.ts';
import { formatCount } from '#shared/text/numbers.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { useFromNow } from '../../ui/Clock.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { cx } from '../../ui/cx.ts';
import { Link } from '../../ui/Link.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { GuardDialog } from './GuardDialog.tsx';
import type { InstancesSearch } from './search.ts';
import styles from './ServerBand.module.css';
import { useGuard, type Guard } from './use-guard.ts';
import { expiryOf, serverLooks } from './words.ts';

interface ServerBandProps {
  /** `undefined` while it is read for the first time. */
  readonly server: ForwarderStatus | undefined;
  readonly show: (act: NonNullable<InstancesSearch['act']>) => void;
}

/** The forwarding server in one line: whether it runs, where, for whom, and with which certificate. */
export function ServerBand({ server, show }: ServerBandProps) {
  const guard = useGuard();
  return (
    <section className={styles['wrap']} aria-label="Forwarding server">
      <dl className={styles['band']}>
        <Cell title="Forwarding server">
          {server === undefined ? <Skeleton /> : <Power server={server} guard={guard} onStop={() => show('stop')} />}
        </Cell>
        <Cell title="Address" className={styles['wide']}>
          {server === undefined ? <Skeleton /> : <Address server={server} />}
        </Cell>
        <Cell title="Who can reach it">
          {server === undefined ? <Skeleton /> : <Reach server={server} onChange={() => show('reach')} />}
        </Cell>
        <Cell title="Platform version" className={server?.hasRoute === false ? undefined : styles['extra']}>
          {server === undefined ? (
            <Skeleton />
          ) : (
            <span className={styles['value']}>{server.settings.platformVersion}</span>
          )}
        </Cell>
        <Cell title="Certificate">
          {server === undefined ? (
            <Skeleton />
          ) : (
            <Certificate certificate={server.certificate} onOpen={() => show('certificate')} />
          )}
        </Cell>
      </dl>
      {server === undefined ? null : <Problems server={server} guard={guard} show={show} />}
      <GuardDialog guard={guard} verb="Start the forwarding server" />
    </section>
  );
}

function Cell({
  title,
  className,
  children,
}: {
  readonly title: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className={cx(styles['cell'], className)}>
      <dt className={styles['title']}>{title}</dt>
      <dd className={styles['line']}>{children}</dd>
    </div>
  );
}

interface PowerProps {
  readonly server: ForwarderStatus;
  readonly guard: Guard;
  readonly onStop: () => void;
}

function Power({ server, guard, onStop }: PowerProps) {
  const { shape, word, tone } = serverLooks[server.state];
  const start = useStart(guard);
  const { enabled } = server.settings;
  const count = server.connections;
  return (
    <>
      <span className={cx(styles['value'], styles['state'], styles[tone])}>
        <span aria-hidden="true">{shape}</span> {word}
      </span>
      {enabled && server.state === 'off' ? (
        <span className={styles['dim']}>starts with the first instance</span>
      ) : enabled ? (
        <>
          <span className={cx(styles['dim'], styles['extra'])} title={`${formatCount(count)} connections`}>
            {formatCount(count)} conn.
          </span>
          <Link onPress={onStop}>Stop…</Link>
        </>
      ) : (
        <Button size="small" tone="primary" onPress={start} reason={guard.isPending ? 'Starting…' : null}>
          Start
        </Button>
      )}
    </>
  );
}

function useStart(guard: Guard): () => void {
  const { client } = useApi();
  return () =>
    guard.run((confirmation) =>
      client.instances.parameters.set({ key: forwardKeys.enabled, value: 'true', ...confirmation }),
    );
}

function Address({ server }: { readonly server: ForwarderStatus }) {
  const [best, ...others] = server.origins;
  if (best === undefined) {
    const { host, port } = server.settings.listen;
    return (
      <span className={styles['dim']}>
        would be {host}:{port}
      </span>
    );
  }
  return (
    <>
      <span className={cx(styles['value'], styles['mono'])} title={server.origins.join('\n')}>
        {best}
      </span>
      <CopyButton text={best} what="address of the server" />
      {others.length === 0 ? null : (
        <span className={cx(styles['dim'], styles['extra'])} title={others.join('\n')}>
          +{others.length}
        </span>
      )}
    </>
  );
}

function Reach({ server, onChange }: { readonly server: ForwarderStatus; readonly onChange: () => void }) {
  const { lan } = server.settings;
  return (
    <>
      <span className={cx(styles['value'], lan && styles['warn'])}>{lan ? 'the network' : 'this computer'}</span>
      <Link onPress={onChange} aria-label="Change who can reach it">
        Change…
      </Link>
    </>
  );
}

function Certificate({
  certificate,
  onOpen,
}: {
  readonly certificate: CertificateStatus | null;
  readonly onOpen: () => void;
}) {
  const expiry = useFromNow((now) => (certificate === null ? '' : JSON.stringify(expiryOf(certificate, now))));
  // Written by the line above.
  const { text, tone } = JSON.parse(expiry === '' ? '{"text":"none yet","tone":"plain"}' : expiry) as ReturnType<
    typeof expiryOf
  >;
  return (
    <>
      {certificate === null ? null : (
        <span className={cx(styles['value'], styles['extra'])} title={certificate.subject}>
          {certificate.kind === 'local' ? 'local' : 'imported'}
        </span>
      )}
      <span className={cx(styles['dim'], tone !== 'plain' && styles[tone])}>{text}</span>
      <Link onPress={onOpen} aria-label="Show the certificate of the forwarding server">
        Show…
      </Link>
    </>
  );
}

function Problems({
  server,
  guard,
  show,
}: {
  readonly server: ForwarderStatus;
  readonly guard: Guard;
  readonly show: ServerBandProps['show'];
}) {
  const { problem, state, hasRoute, settings, certificate } = server;
  const navigate = useNavigate();
  const listenElsewhere = () => void navigate({ to: '/instances/parameters', search: { key: forwardKeys.listen } });
  return (
    <>
      {guard.error === null ? null : <Banner tone="bad">It could not be started: {guard.error.message}</Banner>}
      {problem === null ? null : (
        <Banner
          tone={state === 'failed' ? 'bad' : 'warning'}
          action={
            <Button size="small" onPress={listenElsewhere}>
              Listen elsewhere
            </Button>
          }
        >
          {state === 'failed' ? 'The forwarding server failed: ' : ''}
          {asSentence(problem)}
          {state === 'failed' ? ' Cordon goes on trying.' : ''}
        </Banner>
      )}
      {hasRoute ? null : (
        <Banner tone="warning">
          Every route is answered with 404: platform version {settings.platformVersion} has no routes, they belong to
          version {firstVersionWithRoute} and above. The parameter {forwardKeys.platformVersion} says which version is
          spoken.
        </Banner>
      )}
      {certificate === null || certificate.problem === null ? null : (
        <Banner
          tone="warning"
          action={
            <Button size="small" onPress={() => show('certificate')}>
              Certificate…
            </Button>
          }
        >
          {asSentence(certificate.problem)}
        </Banner>
      )}
    </>
  );
}
