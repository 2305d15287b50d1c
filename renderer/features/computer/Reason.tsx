import { Button } from '../../ui/Button.tsx';
import { TextArea } from '../../ui/Field.tsx';
import styles from './dialogs.module.css';

interface ReasonProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly templates: readonly string[];
  readonly error: string | null;
  readonly description: string;
}

/** Why something is done. The focus starts here, and Enter makes a new line: it never confirms. */
export function Reason({ value, onChange, templates, error, description }: ReasonProps) {
  return (
    <>
      <TextArea
        label="Reason"
        value={value}
        onChange={onChange}
        isRequired
        autoFocus
        rows={2}
        maxLength={255}
        error={error}
        description={description}
      />
      <div className={styles['templates']} role="group" aria-label="Texts to start from">
        {templates.map((template) => (
          <Button key={template} size="small" onPress={() => onChange(template)}>
            {template}
          </Button>
        ))}
      </div>
    </>
  );
}
