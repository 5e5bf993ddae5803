// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/fields.h"

#include <QTimer>

#include <vector>

namespace trainyard
{

struct YamlNode;

class CodeView;
class Suggester;
class FieldFrame;

// A list of commands as one bash text with numbered items. An item may have many lines; the margin numbers the first of
// each. Items that are not touched are never written again, so nothing is trimmed, split or joined behind the user's
// back. Enter starts the next item, or goes on in one that is not complete (a loop, a here-document) and in a text of
// several commands; Shift+Enter stays in the item, Ctrl+Enter starts a new one. A blank line between two new items
// joins them to one text, since a list has no blank lines; blank lines at the end are room to type in. Large because
// the text, the numbers of its items and the document change together with every key.
class CommandsField : public TypedField
{
    Q_OBJECT
public:
    CommandsField(FormContext *context, const YamlPath &path, QWidget *parent = nullptr);
    void refresh() override;
    void commitPending() override;
    CodeView *view() const { return m_view; }
    QStringList items() const; // as shown
    void setLines(int least, int most);
    // How to write the list when there is none yet (for lists inside of something that is missing too).
    void setCreator(std::function<QList<edit::Op>(const QStringList &)> creator) { m_creator = std::move(creator); }
    void setPlaceholder(const QString &text);

protected:
    void commit(Commit when) override;
    void setError(bool error) override;
    QVariant typedState() const override { return items(); }
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    // The text of all items, and the line that each of them begins on.
    struct Shown {
        QByteArray text;
        std::vector<qsizetype> firsts;
        friend bool operator==(const Shown &, const Shown &) = default;
    };
    // The commands in the text, and whether it also has empty lines, which are room to type in.
    struct Reading {
        QStringList items;
        bool hasRoom = false;
        QList<qsizetype> emptied; // lines of commands whose text was deleted
    };
    Reading read(Commit when) const;
    static Shown shownOf(const QStringList &items);
    Shown documentShown(const YamlNode *node) const;
    Shown viewShown() const;
    bool hasRoomOnly(const Shown &wanted) const;
    void show(const Shown &wanted);
    void sayWhyLocked(const QString &why); // empty: the field can be written in
    std::pair<qsizetype, qsizetype> replaceText(const QByteArray &text); // the first and last line that it touched
    void updateMargin();
    void updateHeight();
    void startItem();
    bool continuesItem() const;
    qsizetype itemAt(qsizetype line) const;
    QList<std::pair<qsizetype, qsizetype>> itemLines() const; // first line, line after the last

    CodeView *m_view;
    FieldFrame *m_frame;
    Suggester *m_suggester = nullptr;
    QStringList m_documentItems;
    bool m_hasRoom = false;
    std::function<QList<edit::Op>(const QStringList &)> m_creator;
    QLabel *m_placeholder;
    QWidget *m_elsewhere; // why nothing can be typed here, and the way to where it can
    QLabel *m_whyLocked;
    QLabel *m_rest; // how many lines are not in sight while the user does not type
    QTimer *m_tidy; // margin and height, when Scintilla is through
    int m_least = 2;
    int m_most = 12;
    qsizetype m_shownItem = -1;
    QByteArray m_shownBytes; // of the document, that the view shows
    Shown m_shown;
    quint64 m_shownRevision = 0; // of the view then
};

} // namespace trainyard
