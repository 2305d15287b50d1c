import type { ForwarderStatus, InstanceRow } from '#shared/contract/instances.ts';

import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Headline } from '../../ui/Headline.tsx';
import { KeyCap } from '../../ui/KeyCap.tsx';
import { Tag } from '../../ui/Tag.tsx';
import styles from './InstanceScreen.module.css';
import type { InstanceAct } from './search.ts';
import { State } from './State.tsx';
import { t } from './text.ts';
import { exposureSource, kindWords, routeUrl } from './words.ts';

interface InstanceHeaderProps {
  readonly row: InstanceRow;
  readonly server: ForwarderStatus;
  readonly onAct: (act: InstanceAct) => void;
}

/** Name, state, the address of the route, and the buttons that open dialogs. */
export function InstanceHeader({ row, server, onAct }: InstanceHeaderProps) {
  const { instance, health, exposure } = row;
  const url = routeUrl(server, row);
  return (
    <header className={styles['header']}>
      <Headline list={t.instances} href="/instances" name={instance.name}>
        <State health={health} />
        <Tag tone={exposure.exposed ? 'ok' : 'plain'}>
          {exposure.exposed ? t.exposedInline : t.notExposed}: {exposureSource(exposure)}
        </Tag>
        <Tag>{kindWords(instance.program)}</Tag>
      </Headline>
      <p className={styles['sub']}>
        <span className={styles['url']}>{url}</span>
        <CopyButton text={url} what={t.addressRoute} />
        <span className={styles['note']}>{reachNote(row, server)}</span>
      </p>
      <div className={styles['actions']}>
        <Button onPress={() => onAct('expose')} aria-haspopup="dialog" tone={exposure.exposed ? 'plain' : 'primary'}>
          {exposure.exposed ? t.stopExposingMore : t.exposeMore} <KeyCap keys="o" />
        </Button>
        <Button onPress={() => onAct('probe')} aria-haspopup="dialog">
          {t.probe} <KeyCap keys="t" />
        </Button>
        <Button onPress={() => onAct('edit')} aria-haspopup="dialog">
          {t.changeMore} <KeyCap keys="e" />
        </Button>
        <Button onPress={() => onAct('remove')} aria-haspopup="dialog">
          {t.remove}
        </Button>
      </div>
    </header>
  );
}

/** Why the address does not work now, or for whom it does. */
function reachNote({ exposure }: InstanceRow, server: ForwarderStatus): string {
  if (!exposure.exposed) return 'not exposed: it is answered with 404';
  if (server.state !== 'running') return 'the forwarding server does not run';
  if (!server.hasRoute) return `platform version ${server.settings.platformVersion} has no routes: 404`;
  return server.settings.lan ? 'for everyone who reaches this computer' : 'from this computer only';
}
