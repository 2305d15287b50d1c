import { useQuery } from '@tanstack/react-query';

import { useApi } from '../../api/ApiProvider.tsx';
import { Folded } from './Folded.tsx';
import { KeyValue } from '../../ui/KeyValue.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { licences } from './licences.ts';
import { Part } from './Part.tsx';
import styles from './Settings.module.css';

export function VersionPart() {
  const info = useQuery(useApi().queries.app.info.queryOptions()).data;
  return (
    <Part
      title="Version"
      about="Cordon does not check for updates and connects only to your service. A new version is installed over the old one; the profile stays."
    >
      {info === undefined ? (
        <SkeletonLines lines={3} label="Asking the host" />
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
    <Part title="Licences" about="Cordon is free software under the licence in its folder. It is built from these:">
      <div className={styles['wide']}>
        <Folded title={`${licences.length} packages`}>
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">Package</th>
                <th scope="col">Version</th>
                <th scope="col">Licence</th>
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
