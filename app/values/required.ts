/** The message when something is missing in a form that asks for money (docs/product.md §5). */
export const REQUIRED_FIELDS = "Please fill in all required fields";
