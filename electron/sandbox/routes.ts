import { single } from './answer.ts';
import { values } from './call.ts';
import { pagedList } from './paging.ts';
import type { Route } from './router.ts';
import type { World } from './world.ts';

export function routesOf(world: World): readonly Route[] {
  return [
    { method: 'GET', path: '/v1/version', handle: (call) => single(call.self, {}) },
    {
      method: 'GET',
      path: '/v1/computers',
      query: [
        'limit',
        'offset',
        'hostname',
        'internal_ip',
        'external_ip',
        'group_guid',
        'last_seen_within',
        'last_seen_over',
      ],
      handle: (call) => {
        const names = values(call, 'hostname').map((name) => name.toLowerCase());
        const found = world.computers.filter(
          (c) => names.length === 0 || names.some((name) => String(c['hostname']).toLowerCase().includes(name)),
        );
        return pagedList(call, found, (c) => c);
      },
    },
  ];
}
