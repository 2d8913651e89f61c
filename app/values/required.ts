/** What a form that asks for money is told when something is missing (docs/product.md §5). */
export const REQUIRED_FIELDS = "Please fill in all required fields";
