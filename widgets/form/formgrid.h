// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"

#include <QString>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QGridLayout;
class QLabel;
class QToolButton;
QT_END_NAMESPACE

namespace trainyard
{

class ElidedLabel;
class FieldMessages;
class FormField;

// Rows of the form: right-aligned labels in one column, fields in the other.
class FormGrid : public QWidget
{
    Q_OBJECT
public:
    explicit FormGrid(QWidget *parent = nullptr);
    QLabel *addRow(const QString &label, QWidget *field);
    QLabel *addField(const QString &label, FormField *field); // label and field know each other
    void addWide(QWidget *widget); // both columns
    void setRowVisible(QWidget *field, bool visible);

private:
    QGridLayout *m_grid;
    int m_rows = 0;
};

// Widgets beside each other on one line of the form, as high as a field.
QWidget *beside(const QList<QWidget *> &widgets, int stretchAt = -1);
// The first takes the room that the second leaves; if that is less than `leastFirst`, the second goes below it.
// `ofFirst` belongs to the first, such as its messages: it is below both, or between them.
QWidget *besideOrBelow(QWidget *first, QWidget *second, int leastFirst, QWidget *ofFirst = nullptr);
// A line with what is to be said of its fields below all of it, also where it takes two.
QWidget *above(QWidget *line, QWidget *below);
// A label for inside of a row.
QLabel *rowLabel(const QString &text, QWidget *buddy = nullptr);

// A line that opens and closes what is below it: a chevron, a title, and in muted text what is inside.
class Disclosure : public QWidget
{
    Q_OBJECT
public:
    explicit Disclosure(const QString &title, QWidget *parent = nullptr);
    void setSummary(const QString &summary);
    QString summary() const { return m_summary; }
    // The worst that is wrong inside, beside the summary; a note is not a mark.
    void setMark(Severity worst);
    void setBody(QWidget *body); // shown and hidden with it; stays where it is laid out
    void setOpen(bool open);
    bool isOpen() const { return m_open; }
    // How many problems there are in the body: more than before unfold it, so that hidden problems are not overlooked;
    // the user may fold it again. Returns whether there are more.
    bool setProblems(int count);
    static void openAround(QWidget *widget); // all that hide it

Q_SIGNALS:
    void toggled(bool open);

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

private:
    QString m_title;
    QString m_summary;
    QWidget *m_body = nullptr;
    Severity m_mark = Severity::Note;
    int m_problems = 0;
    bool m_open = false;
};

} // namespace trainyard
