import { useQuery } from '@tanstack/react-query';

import { useApi } from '../../api/ApiProvider.tsx';
import { Folded } from './Folded.tsx';
import { KeyValue } from '../../ui/KeyValue.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { licences } from './licences.ts';
import { Part } from './Part.tsx';
import styles from './Settings.module.css';
import { t } from './text.ts';

export function VersionPart() {
  const info = useQuery(useApi().queries.app.info.queryOptions()).data;
  return (
    <Part title={t.version} about={t.cordonDoes}>
      {info === undefined ? (
        <SkeletonLines lines={3} label={t.queryingTheHost} />
      ) : (
        <KeyValue
          facts={[
            { name: 'Version', value: `${info.version} (${info.host})` },
            { name: 'Operator', value: info.operator },
            { name: 'Profile', value: info.profile, mono: true },
          ]}
        />
      )}
    </Part>
  );
}

export function LicencesPart() {
  return (
    <Part title={t.licences} about={t.cordonFree}>
      <div className={styles['wide']}>
        <Folded title={t.packages(licences.length)}>
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">{t.package}</th>
                <th scope="col">{t.version}</th>
                <th scope="col">{t.licence}</th>
              </tr>
            </thead>
            <tbody>
              {licences.map(({ name, version, licence }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{version}</td>
                  <td>{licence}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Folded>
      </div>
    </Part>
  );
}
