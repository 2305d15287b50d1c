import type { Ref } from 'react';

import { TextField } from '../../ui/Field.tsx';
import styles from './GroupsScreen.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Enter or Escape: to what was found. */
  readonly onLeave: () => void;
  readonly inputRef: Ref<HTMLInputElement>;
}

export function SearchField({ label, placeholder, value, onChange, onLeave, inputRef }: SearchFieldProps) {
  return (
    <TextField
      type="search"
      label={label}
      hideLabel
      placeholder={placeholder}
      value={value}
      onChange={onChange}
      inputRef={inputRef}
      className={styles['search']}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        if (event.key === 'Escape' && value !== '') onChange('');
        else onLeave();
      }}
    />
  );
}
