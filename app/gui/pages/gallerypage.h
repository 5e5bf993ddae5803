// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/pages/templatecard.h"

#include <QList>
#include <QWidget>

class QButtonGroup;
class QGridLayout;
class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace trainyard
{

class EmptyState;
class FlowLayout;
class InfoBar;
class PageHead;
class SearchField;
class TemplateShelf;

// "New from template": all templates as cards, by category, found by words. Arrow keys walk over the cards, Enter opens
// one; the user's own can be renamed and deleted.
class GalleryPage : public QWidget
{
    Q_OBJECT
public:
    explicit GalleryPage(TemplateShelf *shelf, QWidget *parent = nullptr);
    SearchField *searchField() const { return m_search; }
    QList<TemplateCard *> shownCards() const { return m_shown; }
    InfoBar *bar() const { return m_bar; }

    // The actions in the menu of a template of the user.
    void rename(const QString &path, const QString &name);
    void remove(const QString &path);

Q_SIGNALS:
    void openRequested(const QString &folder); // with the file manager of the desktop
    void templateRequested(const QString &id);
    void folderRequested(); // of a shared catalogue: ask for one

protected:
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void rebuild();
    void arrange();
    TemplateCard::Fit cardFit() const;
    void showErrors();
    void moveFocus(TemplateCard *from, int columns, int rows);
    void showMenu(TemplateCard *card, const QPoint &at);
    void askName(const QString &path, const QString &title);

    TemplateShelf *m_shelf;
    SearchField *m_search;
    PageHead *m_head;
    InfoBar *m_bar;
    InfoBar *m_errors;
    FlowLayout *m_categories;
    QButtonGroup *m_group;
    QScrollArea *m_scroll;
    QVBoxLayout *m_sections;
    EmptyState *m_empty;
    QList<TemplateCard *> m_cards;
    QList<TemplateCard *> m_shown;
    QList<QWidget *> m_heads;
    QString m_category; // empty: all
    int m_columns = 1;
};

} // namespace trainyard
