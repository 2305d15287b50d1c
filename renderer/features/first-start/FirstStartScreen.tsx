import { ScreenBar } from '../../ui/Toolbar.tsx';

export function FirstStartScreen() {
  return <ScreenBar title="Connect your service" />;
}
