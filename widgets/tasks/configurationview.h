// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QWidget>

class QLabel;
class QStackedLayout;
class QToolButton;

namespace trainyard
{

class CodeView;
class DiffView;
class FindBar;

// The text of an attempt of a job as it was run, coloured, to be searched and copied; secrets are masked in it. Where
// it was changed after the attempt before, the two can be compared. The views of the text are made when they are looked
// at first: most pages are never asked for them.
class ConfigurationView : public QWidget
{
    Q_OBJECT
public:
    explicit ConfigurationView(QWidget *parent = nullptr);
    // `before`: of the attempt before, or nothing; the same text: there is nothing to compare. `note`: about the text.
    void setText(const QByteArray &yaml, const QByteArray &before = {}, const QString &note = {});
    QWidget *controls() const { return m_controls; } // compare, find, copy; for the row of tabs
    CodeView *code() const { return m_code; } // null before it was shown

protected:
    void showEvent(QShowEvent *event) override;

private:
    void make();
    void makeControls();
    void compare(bool on);
    QByteArray m_yaml, m_before;
    QWidget *m_controls;
    QToolButton *m_compare = nullptr;
    QToolButton *m_search = nullptr;
    QLabel *m_note;
    QStackedLayout *m_pages;
    CodeView *m_code = nullptr;
    FindBar *m_find = nullptr;
    DiffView *m_diff = nullptr;
};

} // namespace trainyard
