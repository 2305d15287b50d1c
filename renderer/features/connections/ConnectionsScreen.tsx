import { ScreenBar } from '../../ui/Toolbar.tsx';

export function ConnectionsScreen() {
  return <ScreenBar title="Connections" />;
}
