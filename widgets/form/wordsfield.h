// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamlops.h"
#include "widgets/form/chipsfield.h"

#include <functional>

QT_BEGIN_NAMESPACE
class QLineEdit;
class QListWidget;
QT_END_NAMESPACE

namespace trainyard
{

// A list of words or patterns as chips, which may be one text in the document as well. A chip opens to be changed,
// Delete takes it away, and "+" offers what is known and takes whatever is typed.
class WordsField : public ChipsField
{
    Q_OBJECT
public:
    // The choices, with their descriptions.
    struct Known {
        QString word;
        QString what;
        friend bool operator==(const Known &, const Known &) = default;
    };
    struct Look {
        QString name; // of objects: hostName_0, hostNameAdd, hostNamePopup
        QString icon;
        QString adding; // "Add a host"
        QString example; // in the empty line that a word is typed into
        bool splits = true; // several words at once, between blanks and commas
    };
    WordsField(FormContext *context, const YamlPath &path, const Look &look, QWidget *parent = nullptr);
    void setKnown(std::function<QList<Known>()> known) { m_known = std::move(known); }
    void setEmptyHelp(const QString &help); // what it means that there is none
    // Other positions whose problems are shown here.
    void setCovers(std::function<bool(const YamlPath &place)> covers) { m_covers = std::move(covers); }
    QStringList words() const;
    bool covers(const YamlPath &place) const override;
    void refresh() override;

private:
    bool isList() const;
    void updateHelp();
    void edit(qsizetype index, QWidget *beside);
    void fillList(QListWidget *list, const QString &typed, const QString &present) const;
    // In place of the word that was there, or added where the place is -1. False: there is nothing in it.
    bool take(const QString &typed, qsizetype index, const QString &before);
    qsizetype placeNow(qsizetype index, const QString &word);
    QList<edit::Op> insertOps(const QStringList &added) const;
    void removeWord(qsizetype pressed, const QString &word);
    QList<Known> known() const { return m_known ? m_known() : QList<Known>(); }

    Look m_look;
    std::function<QList<Known>()> m_known;
    std::function<bool(const YamlPath &)> m_covers;
    QString m_emptyHelp;
};

} // namespace trainyard
