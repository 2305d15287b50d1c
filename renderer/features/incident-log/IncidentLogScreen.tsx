import { ScreenBar } from '../../ui/Toolbar.tsx';

export function IncidentLogScreen() {
  return <ScreenBar title="Incident log" />;
}
