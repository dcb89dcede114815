import { errorText } from "./errors";
import { NAME_LENGTH } from "./messages";
import { isTooLong } from "./nameLength";

export const tooLongText = () => errorText({ error: "name_too_long", params: { most: NAME_LENGTH } });

/** Attached to a field for a name: it is not cut, but the browser says when it is too long, and sends no form with it. */
export function notTooLong(field: HTMLInputElement) {
  const check = () => {
    const was = field.validationMessage;
    field.setCustomValidity(isTooLong(field.value) ? tooLongText() : "");
    if (field.validationMessage !== was) field.reportValidity();
  };
  field.addEventListener("input", check);
  return () => field.removeEventListener("input", check);
}
