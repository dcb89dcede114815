/** Changes the language, once its words are here. */
import { learn, type Locale } from "./i18n.svelte";
import { lost } from "./lost";
import { settings } from "./settings.svelte";
import { tell } from "./shell.svelte";

let wish: Locale; // the latest tap counts

/** If the words do not come, the page stays as it is and says why. */
export async function speak(locale: Locale): Promise<void> {
  wish = locale;
  try {
    await learn(locale);
    if (wish === locale) settings.language = locale;
  } catch (problem) {
    const { text, action } = lost(problem, () => void speak(locale));
    if (wish === locale) tell(text, true, action);
  }
}
