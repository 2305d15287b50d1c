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
    <Card title="Users seen here" aside={data === undefined ? null : 'in stored events'}>
      {users.length === 0 ? (
        <p className={styles['note']}>No stored event of this computer names a user.</p>
      ) : (
        <ul className={styles['users']}>
          {users.map((user) => (
            <li key={user}>
              <span className={styles['user']}>{user}</span>
              <Link onPress={() => trajectoryOf(user)} aria-label={`Show activity of ${user}`}>
                Show activity
              </Link>
              <Link href={`/search?q=${encodeURIComponent(user)}`} aria-label={`Find on other computers: ${user}`}>
                Find on other computers
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
          label="Another user"
          hideLabel
          value={name}
          onChange={setName}
          placeholder="Name of another user"
          className={styles['grow']}
        />
        <Button type="submit" reason={name.trim() === '' ? 'Type the name of a user.' : null}>
          Show activity
        </Button>
      </form>
      <p className={styles['note']}>This opens the trajectory. Loading it costs 1 call.</p>
    </Card>
  );
}
