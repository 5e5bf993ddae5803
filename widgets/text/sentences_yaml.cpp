// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> yaml()
{
    static const SentenceRow rows[] = {
        {"yaml.bom-utf16", QT_TRANSLATE_NOOP("Sentences", "The text is {encoding}, not UTF-8. Save it as UTF-8.")},
        {"yaml.not-utf8", QT_TRANSLATE_NOOP("Sentences", "These bytes are not UTF-8. Save the file as UTF-8, or replace them.")},
        {"yaml.nul", QT_TRANSLATE_NOOP("Sentences", "There is a zero byte here, so this is not a text file.")},
        {"yaml.carriage-return", QT_TRANSLATE_NOOP("Sentences", "This carriage return has no line feed after it. Some YAML readers treat it as a line break; replace it.")},
        {"yaml.merged-item", QT_TRANSLATE_NOOP("Sentences", "This line begins with '- ' but is indented too far for an item of the list: it is read as part of the text above. Align it, or put the text in quotes.")},
        {"yaml.odd-blank", QT_TRANSLATE_NOOP("Sentences", "This is not an ordinary space ({character}): YAML and the shell treat it as a letter.")},
        {"yaml.odd-invisible", QT_TRANSLATE_NOOP("Sentences", "There is an invisible character here ({character}), which makes this a different word.")},
        {"yaml.odd-colon", QT_TRANSLATE_NOOP("Sentences", "This character only looks like a colon ({character}). YAML needs ':' and a space after a key.")},
        {"yaml.odd-quote", QT_TRANSLATE_NOOP("Sentences", "This character only looks like a quotation mark ({character}): it is part of the text and quotes nothing.")},
        {"yaml.control-character", QT_TRANSLATE_NOOP("Sentences", "The control character {character} is not allowed in YAML. Remove it, or write it as an escape in double quotes.")},
        {"yaml.too-large", QT_TRANSLATE_NOOP("Sentences", "The text is too large to be checked ({what}: more than {limit}).")},
        {"yaml.too-large.bytes", QT_TRANSLATE_NOOP("Sentences", "The text is too large to be checked: it has more than 1 MiB.")},
        {"yaml.too-large.brackets", QT_TRANSLATE_NOOP("Sentences", "The text is too large to be checked: it has more than {limit} brackets.")},
        {"yaml.too-large.nodes", QT_TRANSLATE_NOOP("Sentences", "The text is too large to be checked: it has more than {limit} values.")},
        {"yaml.too-deep", QT_TRANSLATE_NOOP("Sentences", "The nesting is deeper than {limit} levels, which no job needs.")},
        {"yaml.empty", QT_TRANSLATE_NOOP("Sentences", "The text contains no job.")},
        {"yaml.syntax", QT_TRANSLATE_NOOP("Sentences", "This is not valid YAML. Check the indentation, quotes and colons before this position.")},
        {"yaml.syntax.map-key", QT_TRANSLATE_NOOP("Sentences", "A key and a colon are expected here.")},
        {"yaml.syntax.map-value", QT_TRANSLATE_NOOP("Sentences", "A colon is not allowed here. Quote the value if the colon is part of it, or check the indentation.")},
        {"yaml.syntax.list-item", QT_TRANSLATE_NOOP("Sentences", "A list item that starts with '- ' is expected here.")},
        {"yaml.syntax.bracket", QT_TRANSLATE_NOOP("Sentences", "This bracket does not match the open one.")},
        {"yaml.syntax.extra-bracket", QT_TRANSLATE_NOOP("Sentences", "No bracket is open that this one could close. Remove it.")},
        {"yaml.syntax.after-value", QT_TRANSLATE_NOOP("Sentences", "The value ends before this. Remove what follows its closing bracket or quotation mark, or put all of it in quotes.")},
        {"yaml.syntax.no-comma", QT_TRANSLATE_NOOP("Sentences", "The value ends before this. Inside brackets, write a comma before the next one, or remove what does not belong here.")},
        {"yaml.syntax.flow-list-end", QT_TRANSLATE_NOOP("Sentences", "The list that starts with '[' has no closing ']'.")},
        {"yaml.syntax.flow-map-end", QT_TRANSLATE_NOOP("Sentences", "The map that starts with '{' has no closing '}'.")},
        {"yaml.syntax.list-end", QT_TRANSLATE_NOOP("Sentences", "This line does not belong to the list above it. Check its indentation.")},
        {"yaml.syntax.map-end", QT_TRANSLATE_NOOP("Sentences", "This line does not belong to the map above it. Check its indentation.")},
        {"yaml.syntax.document-mark", QT_TRANSLATE_NOOP("Sentences", "A document marker is not allowed here.")},
        {"yaml.syntax.block-header", QT_TRANSLATE_NOOP("Sentences", "Only '+', '-', a digit or a comment may follow '|' or '>' on this line.")},
        {"yaml.syntax.escape", QT_TRANSLATE_NOOP("Sentences", "In double quotes, a backslash starts an escape sequence, and this one is unknown. Write two backslashes, or use single quotes.")},
        {"yaml.syntax.alias", QT_TRANSLATE_NOOP("Sentences", "'*' starts the name of an alias. Quote the value if it is text.")},
        {"yaml.syntax.anchor", QT_TRANSLATE_NOOP("Sentences", "'&' starts the name of an anchor. Quote the value if it is text.")},
        {"yaml.syntax.tag", QT_TRANSLATE_NOOP("Sentences", "'!' starts a tag. Quote the value if it is text.")},
        {"yaml.syntax.two-tags", QT_TRANSLATE_NOOP("Sentences", "A value has two tags.")},
        {"yaml.syntax.two-anchors", QT_TRANSLATE_NOOP("Sentences", "A value has two anchors.")},
        {"yaml.syntax.directive", QT_TRANSLATE_NOOP("Sentences", "'%' at the start of a line marks a directive. Quote the value if it is text.")},
        {"yaml.syntax.character", QT_TRANSLATE_NOOP("Sentences", "A value cannot start with this character. Quote the value.")},
        {"yaml.syntax.no-blank", QT_TRANSLATE_NOOP("Sentences", "A blank is missing behind the colon of this key. Without it, the key and its value are one text.")},
        {"yaml.syntax.no-colon", QT_TRANSLATE_NOOP("Sentences", "This key has no colon. Write 'key: value', or '- item' for a list item.")},
        {"yaml.syntax.no-dash", QT_TRANSLATE_NOOP("Sentences", "This line is as deep as the items of the list above it, but does not begin with '- ' as they do.")},
        {"yaml.syntax.after-end", QT_TRANSLATE_NOOP("Sentences", "There is text after the end of the document.")},
        {"yaml.tab-indent", QT_TRANSLATE_NOOP("Sentences", "YAML does not allow tabs for indentation. Use spaces.")},
        {"yaml.unclosed-quote", QT_TRANSLATE_NOOP("Sentences", "This quotation mark has no closing one.")},
        {"yaml.unknown-alias", QT_TRANSLATE_NOOP("Sentences", "The alias *{name} has no anchor &{name} before it.")},
        {"yaml.recursive-alias", QT_TRANSLATE_NOOP("Sentences", "The alias *{name} is inside the value that &{name} names, so it never ends.")},
        {"yaml.too-many-aliases", QT_TRANSLATE_NOOP("Sentences", "The alias *{name} expands to too much text.")},
        {"yaml.duplicate-key", QT_TRANSLATE_NOOP("Sentences", "Duplicate key '{key}'. Remove one of the entries.")},
        {"yaml.unknown-tag", QT_TRANSLATE_NOOP("Sentences", "The tag {tag} is not known.")},
        {"yaml.wrong-tag", QT_TRANSLATE_NOOP("Sentences", "The value cannot be read as {tag}.")},
        {"yaml.merge-key", QT_TRANSLATE_NOOP("Sentences", "The merge key '<<' needs a map, or a list of maps.")},
        {"yaml.directive-end", QT_TRANSLATE_NOOP("Sentences", "A line '---' must follow a line that begins with '%'. An OpenPAI server cannot read the file without it.")},
        {"yaml.question-mark", QT_TRANSLATE_NOOP("Sentences", "In brackets, other YAML readers end a text without quotes at '?', among them those of an OpenPAI cluster's tasks. Put it in quotes.")},
        {"yaml.shallow-value", QT_TRANSLATE_NOOP("Sentences", "This value must be indented deeper than its key. An OpenPAI server cannot read the file.")},
        {"yaml.complex-key", QT_TRANSLATE_NOOP("Sentences", "A map or list is used as a key. Jobs have no such keys; quote it if it is text.")},
        {"yaml.second-document", QT_TRANSLATE_NOOP("Sentences", "A second document starts here. Only the first one is the job; an OpenPAI server refuses the file.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
