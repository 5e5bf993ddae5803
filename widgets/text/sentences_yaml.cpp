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
        {"yaml.nul", QT_TRANSLATE_NOOP("Sentences", "There is a zero byte here; this is not a text file.")},
        {"yaml.carriage-return", QT_TRANSLATE_NOOP("Sentences", "A carriage return stands here without a line feed. Some readers take it for the end of a line; replace it.")},
        {"yaml.odd-blank", QT_TRANSLATE_NOOP("Sentences", "The blank here is not an ordinary one ({character}): YAML and the shell take it for a letter.")},
        {"yaml.odd-invisible", QT_TRANSLATE_NOOP("Sentences", "A character that cannot be seen stands here ({character}). It makes another word of it.")},
        {"yaml.odd-colon", QT_TRANSLATE_NOOP("Sentences", "This only looks like a colon ({character}). YAML wants ':' and a blank behind a key.")},
        {"yaml.odd-quote", QT_TRANSLATE_NOOP("Sentences", "This only looks like a quote ({character}): it is a part of the text and quotes nothing.")},
        {"yaml.control-character", QT_TRANSLATE_NOOP("Sentences", "The control character {character} is not allowed in YAML. Remove it, or write it as an escape in double quotes.")},
        {"yaml.too-large", QT_TRANSLATE_NOOP("Sentences", "The text is too large to be checked ({what}: more than {limit}).")},
        {"yaml.too-large.bytes", QT_TRANSLATE_NOOP("Sentences", "The text is too large to be checked: it has more than 1 MiB.")},
        {"yaml.too-large.brackets", QT_TRANSLATE_NOOP("Sentences", "The text is too large to be checked: it has more than {limit} brackets.")},
        {"yaml.too-large.nodes", QT_TRANSLATE_NOOP("Sentences", "The text is too large to be checked: it has more than {limit} values.")},
        {"yaml.too-deep", QT_TRANSLATE_NOOP("Sentences", "This is nested more than {limit} levels deep, which no job needs.")},
        {"yaml.empty", QT_TRANSLATE_NOOP("Sentences", "There is no job in this text.")},
        {"yaml.syntax", QT_TRANSLATE_NOOP("Sentences", "This is not YAML: the text does not go on as it must here. Look at the indentation, the quotes and the colons before this place.")},
        {"yaml.syntax.map-key", QT_TRANSLATE_NOOP("Sentences", "A key and a colon are expected here.")},
        {"yaml.syntax.map-value", QT_TRANSLATE_NOOP("Sentences", "There is a colon here where no key can stand. Quote the value if the colon belongs to it, or check the indentation.")},
        {"yaml.syntax.list-item", QT_TRANSLATE_NOOP("Sentences", "An item that begins with '- ' is expected here.")},
        {"yaml.syntax.bracket", QT_TRANSLATE_NOOP("Sentences", "This bracket does not fit to the one that is open.")},
        {"yaml.syntax.flow-list-end", QT_TRANSLATE_NOOP("Sentences", "The list that begins with '[' is not closed by ']'.")},
        {"yaml.syntax.flow-map-end", QT_TRANSLATE_NOOP("Sentences", "The map that begins with '{' is not closed by '}'.")},
        {"yaml.syntax.list-end", QT_TRANSLATE_NOOP("Sentences", "This line does not belong to the list above it. Check its indentation.")},
        {"yaml.syntax.map-end", QT_TRANSLATE_NOOP("Sentences", "This line does not belong to the map above it. Check its indentation.")},
        {"yaml.syntax.document-mark", QT_TRANSLATE_NOOP("Sentences", "A document mark cannot stand here.")},
        {"yaml.syntax.block-header", QT_TRANSLATE_NOOP("Sentences", "After '|' or '>' only '+', '-', a digit or a comment may stand on the line.")},
        {"yaml.syntax.escape", QT_TRANSLATE_NOOP("Sentences", "In double quotes a backslash begins an escape, and this one is not known. Write two backslashes, or use single quotes.")},
        {"yaml.syntax.alias", QT_TRANSLATE_NOOP("Sentences", "A '*' begins the name of an alias. Quote the value if it is text.")},
        {"yaml.syntax.anchor", QT_TRANSLATE_NOOP("Sentences", "A '&' begins the name of an anchor. Quote the value if it is text.")},
        {"yaml.syntax.tag", QT_TRANSLATE_NOOP("Sentences", "A '!' begins a tag. Quote the value if it is text.")},
        {"yaml.syntax.two-tags", QT_TRANSLATE_NOOP("Sentences", "A value has two tags.")},
        {"yaml.syntax.two-anchors", QT_TRANSLATE_NOOP("Sentences", "A value has two anchors.")},
        {"yaml.syntax.directive", QT_TRANSLATE_NOOP("Sentences", "A '%' at the beginning of a line is a directive. Quote the value if it is text.")},
        {"yaml.syntax.character", QT_TRANSLATE_NOOP("Sentences", "No value can begin with this character. Quote the value.")},
        {"yaml.syntax.no-colon", QT_TRANSLATE_NOOP("Sentences", "A key without a colon. Write 'key: value', or '- item' for an item of a list.")},
        {"yaml.syntax.after-end", QT_TRANSLATE_NOOP("Sentences", "There is something behind the end of the document.")},
        {"yaml.tab-indent", QT_TRANSLATE_NOOP("Sentences", "A tab is used for indentation. Use spaces.")},
        {"yaml.unclosed-quote", QT_TRANSLATE_NOOP("Sentences", "This quote is never closed.")},
        {"yaml.unknown-alias", QT_TRANSLATE_NOOP("Sentences", "The alias *{name} has no anchor &{name} before it.")},
        {"yaml.recursive-alias", QT_TRANSLATE_NOOP("Sentences", "The alias *{name} stands inside of what &{name} names, so it has no end.")},
        {"yaml.too-many-aliases", QT_TRANSLATE_NOOP("Sentences", "Following the alias *{name} gives far too large a text.")},
        {"yaml.duplicate-key", QT_TRANSLATE_NOOP("Sentences", "The key '{key}' stands twice in this map. Remove one of them.")},
        {"yaml.unknown-tag", QT_TRANSLATE_NOOP("Sentences", "The tag {tag} is not known.")},
        {"yaml.wrong-tag", QT_TRANSLATE_NOOP("Sentences", "The value cannot be read as {tag}.")},
        {"yaml.merge-key", QT_TRANSLATE_NOOP("Sentences", "The merge key '<<' needs a map, or a list of maps.")},
        {"yaml.complex-key", QT_TRANSLATE_NOOP("Sentences", "A map or list is used as a key. Nothing in a job has such a key; quote it if it is text.")},
        {"yaml.second-document", QT_TRANSLATE_NOOP("Sentences", "A second document begins here. The job is the first one; an OpenPAI server refuses both.")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
