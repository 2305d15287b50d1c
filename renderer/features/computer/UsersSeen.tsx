import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import type { ComputerRow } from '#shared/model/computer.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Link } from '../../ui/Link.tsx';
import { Card } from '../../ui/Toolbar.tsx';
import styles from './ComputerScreen.module.css';
import { t } from './text.ts';

/** Newest events that are looked through for names of users. */
const looked = 200;

/** Users that stored events name, and what the service can tell of one: here, and on other computers. */
export function UsersSeen({ row }: { readonly row: ComputerRow }) {
  const { queries } = useApi();
  const { id: connection } = useActiveConnection();
  const [name, setName] = useState('');
  const navigate = useNavigate();
  const { data } = useQuery(
    queries.events.query.queryOptions({
      input: { connection, filter: `guid=${row.guid} -user:empty`, offset: 0, limit: looked },
    }),
  );
  const users = [...new Set((data?.rows ?? []).flatMap(({ user }) => user ?? []))];
  const trajectoryOf = (user: string) =>
    void navigate({
      to: '/computers/$guid',
      params: { guid: row.guid },
      search: { tab: 'trajectory', q: `user:${user}` },
    });
  return (
    <Card title={t.usersSeenHere} aside={data === undefined ? null : t.inStoredEvents}>
      {users.length === 0 ? (
        <p className={styles['note']}>{t.noStoredEventComputer}</p>
      ) : (
        <ul className={styles['users']}>
          {users.map((user) => (
            <li key={user}>
              <span className={styles['user']}>{user}</span>
              <Link onPress={() => trajectoryOf(user)} aria-label={t.showActivityOf(user)}>
                {t.showActivity}
              </Link>
              <Link href={`/search?q=${encodeURIComponent(user)}`} aria-label={t.findOtherComputers(user)}>
                {t.findOnOtherComputers}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <form
        className={styles['userForm']}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') trajectoryOf(name.trim());
        }}
      >
        <TextField
          label={t.anotherUser}
          hideLabel
          value={name}
          onChange={setName}
          placeholder={t.nameAnother}
          className={styles['grow']}
        />
        <Button type="submit" reason={name.trim() === '' ? t.typeNameUser : null}>
          {t.showActivity}
        </Button>
      </form>
      <p className={styles['note']}>{t.opensTrajectory}</p>
    </Card>
  );
}
