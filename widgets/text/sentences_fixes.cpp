// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/sentencetables.h"

#include <QtGlobal>

namespace trainyard::sentences
{

// clang-format off
std::span<const SentenceRow> fixes()
{
    static const SentenceRow rows[] = {
        {"fix.add", QT_TRANSLATE_NOOP("Sentences", "Add {field}")},
        {"fix.add-blank", QT_TRANSLATE_NOOP("Sentences", "Insert a blank")},
        {"fix.add-colon", QT_TRANSLATE_NOOP("Sentences", "Add a colon")},
        {"fix.add-dash", QT_TRANSLATE_NOOP("Sentences", "Add '- '")},
        {"fix.add-role", QT_TRANSLATE_NOOP("Sentences", "Add a task role")},
        {"fix.align-items", QT_TRANSLATE_NOOP("Sentences", "Align it with the list")},
        {"fix.align-line", QT_TRANSLATE_NOOP("Sentences", "Align it with the entries it belongs to")},
        {"fix.as-server", QT_TRANSLATE_NOOP("Sentences", "Write {value}, as an OpenPAI server does")},
        {"fix.choose-deployment", QT_TRANSLATE_NOOP("Sentences", "Use the deployment '{name}'")},
        {"fix.define-image", QT_TRANSLATE_NOOP("Sentences", "Define the image '{name}'")},
        {"fix.define-parameter", QT_TRANSLATE_NOOP("Sentences", "Add the parameter '{name}'")},
        {"fix.define-secret", QT_TRANSLATE_NOOP("Sentences", "Add the secret '{name}'")},
        {"fix.did-you-mean", QT_TRANSLATE_NOOP("Sentences", "Use '{name}'")},
        {"fix.gang-off", QT_TRANSLATE_NOOP("Sentences", "Set extras.gangAllocation to false")},
        {"fix.index-brackets", QT_TRANSLATE_NOOP("Sentences", "Write the index in brackets")},
        {"fix.make-list", QT_TRANSLATE_NOOP("Sentences", "Make '{field}' a list")},
        {"fix.make-secret", QT_TRANSLATE_NOOP("Sentences", "Make it a secret")},
        {"fix.take-out", QT_TRANSLATE_NOOP("Sentences", "Take the value out")},
        {"fix.move-into", QT_TRANSLATE_NOOP("Sentences", "Move it to '{name}'")},
        {"fix.name-secrets", QT_TRANSLATE_NOOP("Sentences", "List the secrets by name")},
        {"fix.new-job", QT_TRANSLATE_NOOP("Sentences", "Start with a small job")},
        {"fix.quote", QT_TRANSLATE_NOOP("Sentences", "Put '{value}' in quotes")},
        {"fix.quote-command", QT_TRANSLATE_NOOP("Sentences", "Put the command in quotes")},
        {"fix.quote-value", QT_TRANSLATE_NOOP("Sentences", "Put the value of '{field}' in quotes")},
        {"fix.refer-to", QT_TRANSLATE_NOOP("Sentences", "Refer to '{name}' instead of '{other}'")},
        {"fix.remove", QT_TRANSLATE_NOOP("Sentences", "Remove '{field}'")},
        {"fix.remove-earlier", QT_TRANSLATE_NOOP("Sentences", "Remove the '{field}' above")},
        {"fix.remove-later", QT_TRANSLATE_NOOP("Sentences", "Remove this '{field}'")},
        {"fix.remove-item", QT_TRANSLATE_NOOP("Sentences", "Remove this item")},
        {"fix.rename", QT_TRANSLATE_NOOP("Sentences", "Rename to '{name}'")},
        {"fix.no-image", QT_TRANSLATE_NOOP("Sentences", "No image: run in the shell of the host")},
        {"fix.odd-characters", QT_TRANSLATE_NOOP("Sentences", "Write ordinary characters")},
        {"fix.rename-key", QT_TRANSLATE_NOOP("Sentences", "Write '{name}'")},
        {"fix.replace-tabs", QT_TRANSLATE_NOOP("Sentences", "Replace tabs by spaces")},
        {"fix.select", QT_TRANSLATE_NOOP("Sentences", "Set {field} to '{name}'")},
        {"fix.set", QT_TRANSLATE_NOOP("Sentences", "Write {value}")},
        {"fix.split-line", QT_TRANSLATE_NOOP("Sentences", "Begin a line at '{field}'")},
        {"fix.use-as-secrets", QT_TRANSLATE_NOOP("Sentences", "Make the second document the secrets")},
        {"fix.wait-for-all", QT_TRANSLATE_NOOP("Sentences", "Wait for all roles (-1)")},
        {"fix.write-order", QT_TRANSLATE_NOOP("Sentences", "List all of them in '{role}'")},
    };
    return rows;
}
// clang-format on

} // namespace trainyard::sentences
